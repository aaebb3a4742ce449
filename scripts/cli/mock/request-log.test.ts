import { expect, test } from 'vitest';
import type { JournalEntry } from '../../../mock-server/journal/journal.ts';
import { startMock } from '../../../mock-server/start-mock.ts';
import { withoutColours } from '../../../suites/engine/reports/colours.ts';
import { textLine } from './request-log.ts';

/** The entries of requests that have ended, one for each kind of end. */
async function ended(fault: string): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  const mock = await startMock({
    faults: [fault],
    answers: ['Yes'],
    requestEnded: (entry) => entries.push(entry),
  });
  const authorization = `Bearer ${mock.keys['primary']}`;
  const body = '{"model":"compact-1","messages":[{"role":"user","content":"a"}],"stream":true}';
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'order-1' };
  const chat = (): Promise<unknown> =>
    fetch(`${mock.url}/chat/completions`, { method: 'POST', headers, body })
      .then((response) => response.text())
      .catch(() => {});
  await chat();
  await chat();
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
    'TIME GET /v1/models 401 MS –',
  ]);
});

test('shows no character that a terminal would obey', async () => {
  const [, , entry] = await ended('rate_limit times=1');
  if (entry === undefined) throw new Error('no request ended');
  expect(textLine({ ...entry, path: '/v1/\u009b31m\u001b[2J' }, withoutColours)).not.toMatch(/\p{Cc}/u);
});
