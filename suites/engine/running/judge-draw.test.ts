import { expect, test } from 'vitest';
import { isRefused } from '../inputs/judging/is-refused.ts';
import { getStimulus } from '../inputs/provoking/get-stimulus.ts';
import { check } from '../model/check.ts';
import { COUNTERPART_WITHHELD, type Exchange } from '../model/exchange.ts';
import { inconclusive } from '../model/ruling.ts';
import { answered } from '../test-support/exchange.ts';
import { infoForTest } from '../test-support/target-info.ts';
import { rulingOf, rulingWithoutCounterparts } from './judge-draw.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const given = getStimulus('nothing', '/models', []);
const refused = check({ id: 'c', clauses: ['REQ-6'], title: 't', given, holds: isRefused('REQ-6') });

function kind(status: number): string {
  const counterpart: Exchange = {
    ...answered({}, CHAT),
    outcome: { kind: 'not-sent', reason: COUNTERPART_WITHHELD },
  };
  const body = status < 300 ? { choices: [] } : { error: { code: 'x', message: 'No.' } };
  const exchanges = [answered({ status, body }, { ...CHAT, top_p: 1 })];
  return rulingWithoutCounterparts(refused, { exchanges, counterpart }, infoForTest()).kind;
}

test('takes a refusal for no pass, a violation for one, and a failure for what it is', () => {
  expect([kind(400), kind(200), kind(500)]).toEqual(['inconclusive', 'violated', 'inconclusive']);
});

test('takes a refusal for lack of credits for no pass, whichever request met it, and a violation for one', () => {
  const served = answered({ body: { choices: [] } }, CHAT);
  const broke = answered(
    { status: 402, body: { error: { code: 'x', message: 'No.' } } },
    { ...CHAT, top_p: 1 },
  );
  const accepted = answered({ body: { choices: [] } }, { ...CHAT, top_p: 1 });
  const ruled = (...exchanges: Exchange[]) =>
    rulingOf(refused, { exchanges, counterpart: served }, infoForTest(), undefined);
  expect([ruled(broke), ruled(accepted, broke)]).toMatchObject([
    { kind: 'inconclusive', reason: expect.stringContaining('credits') },
    { kind: 'violated' },
  ]);
});

test('says on which duties a trial bears, also where its answer is missing', () => {
  const decides = {
    'takes a model': () => true,
    'takes a field': ({ exchanges }: { exchanges: readonly Exchange[] }) => exchanges.length > 1,
  };
  const parted = check({
    id: 'd',
    clauses: ['REQ-6'],
    title: 't',
    decides,
    given,
    holds: isRefused('REQ-6'),
  });
  const broken: Exchange = { ...answered({}, CHAT), outcome: { kind: 'uncertain', reason: 'it broke' } };
  const ruled = (...exchanges: Exchange[]) =>
    rulingOf(parted, { exchanges }, infoForTest(), inconclusive('it broke'));
  expect([ruled(broken), ruled(broken, broken)]).toMatchObject([
    { kind: 'inconclusive', duties: ['takes a model'] },
    { kind: 'inconclusive', duties: ['takes a model', 'takes a field'] },
  ]);
});
