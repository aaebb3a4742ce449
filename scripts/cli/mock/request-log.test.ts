import { expect, test } from 'vitest';
import type { ShownEntry } from '../../../mock-server/journal/shown-exchange.ts';
import { startMock } from '../../../mock-server/start-mock.ts';
import { withoutColours } from '../../../suites/engine/reports/colours.ts';
import { textLine } from './request-log.ts';

/** The entries of requests that have ended, one for each kind of end. */
async function ended(fault: string): Promise<readonly ShownEntry[]> {
  const entries: ShownEntry[] = [];
  const mock = await startMock({
    faults: [fault],
    answers: ['Yes'],
    requestEnded: (entry) => entries.push(entry),
  });
  const authorization = `Bearer ${mock.keys['primary']}`;
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'order-1' };
  const chat = (model: string): Promise<unknown> => {
    const messages = [{ role: 'user', content: 'a' }];
    const body = JSON.stringify({ model, messages, stream: true });
    return fetch(`${mock.url}/chat/completions`, { method: 'POST', headers, body })
      .then((response) => response.text())
      .catch(() => {});
  };
  await chat('compact-1');
  await chat('compact-1');
  await chat('gpt-4o');
  await fetch(`${mock.url}/models`);
  await mock.close();
  return entries;
}

const withoutTimes = (line: string): string =>
  line
    .replace(/^[\d:.]{12}/, 'TIME')
    .replaceAll(/ +[\d.]+ ms/g, ' MS')
    .replaceAll(/ +/g, ' ');

test('writes a line for each request, once it has ended', async () => {
  const entries = await ended('connection_closed phase=after-debit times=1');
  expect(entries.map((entry) => withoutTimes(textLine(entry, withoutColours)))).toEqual([
    expect.stringMatching(
      /^TIME POST \/v1\/chat\/completions – MS primary compact-1 stream cut connection_closed at after-debit answer_1 debit \d+$/,
    ),
    'TIME POST /v1/chat/completions 200 MS primary compact-1 stream',
    'TIME POST /v1/chat/completions 404 unknown_model MS primary gpt-4o',
    'TIME GET /v1/models 401 missing_key MS –',
  ]);
});

test('shows no character that a terminal would obey', async () => {
  const [, , , entry] = await ended('rate_limit times=1');
  if (entry === undefined) throw new Error('no request ended');
  expect(
    textLine({ ...entry, path: '/v1/\u009b31m\u001b[2J', model: '\u009b31m' }, withoutColours),
  ).not.toMatch(/\p{Cc}/u);
});
