import { expect, test } from 'vitest';
import { showExchange, type ShownExchange } from '../../../journal/shown-exchange.ts';
import { startMock } from '../../../start-mock.ts';
import { requestEvents, moneyText } from './request-events.ts';

async function shown(fault: string): Promise<ShownExchange> {
  const mock = await startMock({ control: true, faults: [fault] });
  const headers = { authorization: `Bearer ${mock.keys['primary']}`, 'content-type': 'application/json' };
  const body = '{"model":"compact-1","messages":[{"role":"user","content":"Hello"}],"stream":true}';
  await fetch(`${mock.url}/chat/completions`, { method: 'POST', headers, body })
    .then((answer) => answer.text())
    .catch(() => {});
  await mock.close();
  const [writer] = mock.sandboxes.root.journal?.writers() ?? [];
  if (writer === undefined) throw new Error('nothing is journalled');
  return showExchange(writer, mock.world.keys);
}

const kinds = (exchange: ShownExchange): string =>
  requestEvents(exchange)
    .map(({ kind }) => kind)
    .join(' ');

test('tells a fault where it triggered, and the answer that was lost with what left of it', async () => {
  const cut = await shown('stream_cut events=1');
  expect(kinds(cut)).toBe('arrival phase phase phase phase phase phase phase fault answer departure end');
  expect(requestEvents(cut).map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      'stream_cut (rule_1)',
      'answer 200 is made',
      expect.stringMatching(/^\d+ bytes have left$/),
    ]),
  );
});

test('tells how long before what an answer left in pieces', async () => {
  const pieces = requestEvents(await shown('pieces bytes=400')).filter(({ kind }) => kind === 'departure');
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.at(-1)?.what).toMatch(/^\d+ bytes have left, \d+ in all$/);
});

test('tells no answer where none was made', async () => {
  expect(kinds(await shown('connection_reset phase=after-validation'))).toBe('arrival phase phase fault end');
});

test.each([
  [
    { state: 'succeeded', reservation: 'consumed', reserved: 9, debit: 4 },
    'succeeded: 9 reserved, 4 debited',
  ],
  [
    { state: 'under_review', reservation: 'under_review', reserved: 9, debit: null },
    'under review: 9 reserved, nothing debited',
  ],
] as const)('tells money of %j', (line, text) => {
  expect(moneyText(line)).toBe(text);
});
