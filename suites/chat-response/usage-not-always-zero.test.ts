import { expect, test } from 'vitest';
import { HEADERS } from '../../fixtures/chats/wire.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { answered } from '../engine/test-support/exchange.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { usageNotAlwaysZero } from './usage-not-always-zero.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const ZERO = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

function response(usage: object, content = 'Hello.'): Exchange {
  return answered({ body: { choices: [{ message: { content } }], usage } }, CHAT);
}

function stream(usage: object): Exchange {
  const body = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Hi.' } }], usage })}\n\n`;
  const headers = { [HEADERS.contentType]: 'text/event-stream' };
  return answered({ body, headers }, { ...CHAT, stream: true });
}

function kinds(...exchanges: readonly Exchange[]) {
  const judge = usageNotAlwaysZero.ofRun?.(infoForTest());
  for (const exchange of exchanges) judge?.note(exchange);
  return judge?.rulings().map(([, { kind }]) => kind);
}

/** Why nothing was ruled, once. */
function unruled(...exchanges: readonly Exchange[]) {
  const judge = usageNotAlwaysZero.ofRun?.(infoForTest());
  for (const exchange of exchanges) judge?.note(exchange);
  const [[, ruling] = [], ...more] = judge?.rulings() ?? [];
  return ruling?.kind === 'not-exercised' && more.length === 0 ? ruling.reason : undefined;
}

const thrice = (make: () => Exchange): readonly Exchange[] => [1, 2, 3].map(make);

test('violated given a text in every answer, and never a token', () => {
  expect(kinds(...thrice(() => response(ZERO)))).toEqual(['violated', 'violated', 'violated']);
  expect(kinds(...thrice(() => stream({ total_tokens: 0 })))).toEqual(['violated', 'violated', 'violated']);
});

test('judges streams and whole answers apart', () => {
  const counted = response({ ...ZERO, completion_tokens: 2 });
  expect(kinds(counted, ...thrice(() => stream(ZERO)))).toEqual([
    'holds',
    'violated',
    'violated',
    'violated',
  ]);
});

test('holds given one answer that counts something', () => {
  expect(kinds(...thrice(() => response(ZERO)), response({ prompt_tokens: 1 }))).toEqual(['holds']);
});

test('says why it rules nothing of few answers, of answers without a text, and of a price of 0', () => {
  expect(unruled(response(ZERO), response(ZERO))).toContain('2 with a text and a token count of 0');
  const nothing = 'no answer had a text and a token count that could be read, see RES-4';
  expect(unruled(...thrice(() => response(ZERO, '')))).toBe(nothing);
  expect(unruled(...thrice(() => response({ credits: 0 })))).toBe(nothing);
  expect(unruled(...thrice(() => answered({ status: 400, body: { usage: ZERO } }, CHAT)))).toBe(nothing);
  expect(kinds()).toEqual([]);
});
