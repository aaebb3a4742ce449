import { expect, test } from 'vitest';
import type { Exchange } from '../engine/model/exchange.ts';
import { answered, brokenOff, errorAnswer, unanswered } from '../engine/test-support/exchange.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { someResponseIsWhole, someStreamIsWhole } from './every-answer.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const STREAMED = { ...CHAT, stream: true };

const begun = (chat: object, status = 200) => brokenOff(answered({ status, body: 'data: {' }, chat));
const thrice = (chat: object): readonly Exchange[] => [1, 2, 3].map(() => begun(chat));

const RESPONSE = answered({ body: { choices: [] } }, CHAT);
const VIOLATED = Array<string>(3).fill('violated');
const gateway = [1, 2, 3].map(() => begun(STREAMED, 502));

test.each<[string, typeof someStreamIsWhole, readonly Exchange[], readonly string[]]>([
  ['streams that all break off', someStreamIsWhole, [RESPONSE, ...thrice(STREAMED)], VIOLATED],
  ['streams that all break off', someResponseIsWhole, [RESPONSE, ...thrice(STREAMED)], ['holds']],
  [
    'responses that all break off, and a refusal that came whole',
    someResponseIsWhole,
    [answered(errorAnswer('x'), { ...CHAT, top_p: 1 }), ...thrice(CHAT)],
    VIOLATED,
  ],
  [
    'one that came whole, however many broke off',
    someStreamIsWhole,
    [...thrice(STREAMED), answered({ body: 'data: {}' }, STREAMED)],
    ['holds'],
  ],
  ['two', someStreamIsWhole, [RESPONSE, begun(STREAMED), begun(STREAMED)], []],
  ['nothing else that is answered', someStreamIsWhole, thrice(STREAMED), []],
  ['timeouts', someStreamIsWhole, [RESPONSE, ...[1, 2, 3].map(() => unanswered(answered({}, STREAMED)))], []],
  ['gateway errors', someStreamIsWhole, [RESPONSE, ...gateway], []],
  ['a rate limit error', someStreamIsWhole, [RESPONSE, answered({ status: 429 }, STREAMED)], []],
])('given %s, $1.id rules $3', (_, invariant, exchanges, expected) => {
  const judge = invariant.ofRun?.(infoForTest());
  for (const exchange of exchanges) judge?.note(exchange);
  expect(judge?.rulings().map(([, { kind }]) => kind)).toEqual(expected);
});
