import { request as ask } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { JournalEntry } from '../journal/journal.ts';
import type { Mock } from '../start-mock.ts';
import { completeWorld } from '../world/check-world.ts';
import { openControlled } from './test-support/controlled-mock.ts';

function follow(mock: Mock, headers: Readonly<Record<string, string>> = {}, path = '/events') {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const sent = ask(`${mock.control}${path}`, { headers }, (response) =>
    response.setEncoding('utf8').on('data', (text: string) => parser.feed(text)),
  );
  sent.on('error', () => {});
  sent.end();
  const stop = (): void => void sent.destroy();
  onTestFinished(stop);
  const entries = (): readonly JournalEntry[] =>
    events.filter(({ event }) => event === 'request').map(({ data }) => JSON.parse(data));
  return { events, entries, stop };
}

const last = ({ entries }: ReturnType<typeof follow>): Map<number, JournalEntry> =>
  new Map(entries().map((entry) => [entry.id, entry]));

test('follows the requests of all sandboxes from their arrival to their end', async () => {
  const { mock, chat, makeSandbox } = await openControlled();
  await chat();
  const heard = follow(mock);
  await vi.waitFor(() => expect(last(heard).get(1)).toMatchObject({ sandbox: null, ended: 'answered' }));
  await chat(await makeSandbox({ id: 'blue' }));
  await vi.waitFor(() =>
    expect(last(heard).get(2)).toMatchObject({ sandbox: 'blue', n: 1, status: 200, ended: 'answered' }),
  );
  const worlds = heard.events.filter(({ event }) => event === 'worlds').map(({ data }) => JSON.parse(data));
  expect(worlds[0]).toMatchObject({ worlds: [{ sandbox: null, since: 0 }] });
  expect(worlds.at(-1)).toMatchObject({ worlds: [{ sandbox: null }, { sandbox: 'blue', since: 1 }] });
  expect(JSON.stringify(heard.events)).not.toContain(mock.keys['primary']);
});

test('goes on after the last event that a reader has seen, by header or query, and else from the start', async () => {
  const { mock, chat } = await openControlled();
  const first = follow(mock);
  await chat();
  await vi.waitFor(() => expect(last(first).get(1)?.ended).toBe('answered'));
  first.stop();
  const seen = first.events.at(-1)?.id ?? '';
  await chat();
  const again = [
    follow(mock, { 'last-event-id': seen }),
    follow(mock, {}, `/events?after=${seen}`),
    follow(mock, { 'last-event-id': 'of-another-mock.1' }),
    follow(mock, { 'last-event-id': 'nonsense' }),
  ];
  for (const [index, heard] of again.entries()) {
    await vi.waitFor(() => expect(last(heard).get(2)?.ended).toBe('answered'));
    expect([...last(heard).keys()]).toEqual(index < 2 ? [2] : [1, 2]);
  }
});

test('tells of a request that the workspace resolves, of a reset, and of what others change', async () => {
  const { mock, control, chat } = await openControlled({ faults: ['timeout times=1'] });
  const heard = follow(mock);
  void chat(mock, 'lost').catch(() => {});
  await vi.waitFor(() => expect(last(heard).get(1)?.ended).toBe('silent'));
  await control('POST', '/requests/lost/resolution', { outcome: 'completed' });
  await vi.waitFor(() => expect(last(heard).get(1)?.ledger).toHaveLength(3));
  // Once at first, and once because of the resolution.
  await vi.waitFor(() => expect(heard.events.filter(({ event }) => event === 'worlds')).toHaveLength(2));
  await control('POST', '/reset');
  await vi.waitFor(() =>
    expect(heard.events.findLast(({ event }) => event === 'worlds')?.data).toContain('"since":1'),
  );
});

test('tells nothing more of the requests that a reset has cut', async () => {
  const { mock, control, chat } = await openControlled({ faults: ['timeout ms=60000 times=1'] });
  const heard = follow(mock);
  const cut = chat().catch(() => 'cut');
  await vi.waitFor(() => expect(last(heard).get(1)).toMatchObject({ model: 'compact-1', ended: null }));
  await control('POST', '/reset');
  expect(await cut).toBe('cut');
  await fetch(`${mock.url}/models`);
  await vi.waitFor(() => expect(last(heard).get(2)?.ended).toBe('answered'));
  const events = heard.events.map(({ event, data }) => (event === 'request' ? JSON.parse(data).id : event));
  expect(events.slice(events.lastIndexOf('worlds')).filter((id) => id === 1)).toEqual([]);
});

test('does not keep the mock from closing', async () => {
  // Longer than a test may take.
  const { mock } = await openControlled({ world: completeWorld({ limits: { drainMs: 3_600_000 } }) });
  const heard = follow(mock);
  await vi.waitFor(() => expect(heard.events).not.toEqual([]));
});

test('says in silence that it is there, and no more often than that', async () => {
  const { mock } = await openControlled({ world: completeWorld({ limits: { silenceMs: 400 } }) });
  const { body } = await fetch(`${mock.control}/events`, { signal: AbortSignal.timeout(1500) });
  let text = '';
  const read = async (): Promise<void> => {
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
  };
  await read().catch(() => {});
  const beats = text.match(/^:$/gm)?.length ?? 0;
  expect(beats).toBeGreaterThan(0);
  expect(beats).toBeLessThan(8);
});
