import { expect, test } from 'vitest';
import { isRefused } from '../inputs/judging/is-refused.ts';
import { getStimulus } from '../inputs/provoking/listed-models.ts';
import { check, type CheckDeclaration } from '../model/check.ts';
import { COUNTERPART_WITHHELD, type Exchange } from '../model/exchange.ts';
import { HOLDS, type Ruling } from '../model/ruling.ts';
import type { Trial } from '../model/stimulus.ts';
import { answered } from '../test-support/exchange.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { missingAnswer, rulingOf } from './judge-trial.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const given = getStimulus('nothing', '/models', []);

/** What a check that wants a refusal rules on a trial. */
function ruled(trial: Trial, more: Partial<CheckDeclaration<Trial>> = {}): Ruling | Error {
  const holds = isRefused('REQ-6');
  const refused = check({ id: 'c', clauses: ['REQ-6'], title: 't', given, holds, ...more });
  return rulingOf(refused, trial, infoForTest(), missingAnswer(trial));
}

/** A chat that must be refused, with this status. */
function refusable(status: number): Exchange {
  const body = status < 300 ? { choices: [] } : { error: { code: 'x', message: 'No.' } };
  return answered({ status, body }, { ...CHAT, top_p: 1 });
}

const served = answered({ body: { choices: [] } }, CHAT);
const withheld: Exchange = { ...served, outcome: { kind: 'not-sent', reason: COUNTERPART_WITHHELD } };
const broken: Exchange = { ...served, outcome: { kind: 'uncertain', reason: 'it broke' } };

const beside = (counterpart: Exchange, ...statuses: readonly number[]): Trial => ({
  exchanges: statuses.map(refusable),
  counterpart,
});
const doubt = (why: string) => ({ kind: 'inconclusive', reason: expect.stringContaining(why) });

test.each<[string, Trial, object]>([
  ['a refusal', beside(served, 400), { kind: 'holds' }],
  ['a refusal whose counterpart was withheld', beside(withheld, 400), doubt('would cost a completion')],
  ['a chat that was accepted, also without its counterpart', beside(withheld, 200), { kind: 'violated' }],
  ['a failure', beside(withheld, 500), { kind: 'inconclusive' }],
  ['a refusal for lack of credits', beside(served, 402), doubt('credits')],
  ['a chat that was accepted before the credits ended', beside(served, 200, 402), { kind: 'violated' }],
  ['nothing', { exchanges: [] }, { kind: 'not-exercised', reason: 'no request was sent' }],
  ['nothing but a counterpart', beside(served), { kind: 'not-exercised' }],
  [
    'a refusal whose counterpart was refused too',
    beside(refusable(400), 400),
    { kind: 'not-exercised', reason: 'its counterpart was refused too: status 400, code "x"' },
  ],
])('judges %s for what it shows', (_, trial, ruling) => {
  expect(ruled(trial)).toMatchObject(ruling);
});

test('says on which duties a trial bears, also where its answer is missing', () => {
  const decides = {
    'takes a model': () => true,
    'takes a field': ({ exchanges }: Trial) => exchanges.length > 1,
  };
  const kind = 'inconclusive';
  expect([
    ruled({ exchanges: [broken] }, { decides }),
    ruled({ exchanges: [broken, broken] }, { decides }),
  ]).toMatchObject([
    { kind, duties: ['takes a model'] },
    { kind, duties: ['takes a model', 'takes a field'] },
  ]);
});

test('asks a check of what is uncertain only beside a counterpart that was accepted', () => {
  const rulings = [served, refusable(400), broken].map((counterpart) =>
    ruled({ exchanges: [broken], counterpart }, { tellsUncertain: () => HOLDS }),
  );
  expect(rulings).toMatchObject([{ kind: 'holds' }, { kind: 'not-exercised' }, { kind: 'inconclusive' }]);
});
