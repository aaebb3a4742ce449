import { request } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import type { JournalEntry } from '../journal/journal.ts';
import type { Mock } from '../start-mock.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import { withControl } from './test-support/controlled-mock.ts';

interface Heard {
  readonly events: readonly EventSourceMessage[];
  readonly entries: () => readonly JournalEntry[];
  readonly stop: () => void;
}

function follow(mock: Mock, headers: Readonly<Record<string, string>> = {}, path = '/events'): Heard {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const sent = request(`${mock.control}${path}`, { headers }, (response) =>
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

const last = ({ entries }: Heard): Map<number, JournalEntry> =>
  new Map(entries().map((entry) => [entry.id, entry]));

test('follows the requests of all sandboxes from their arrival to their end', async () => {
  await withControl(async ({ mock, control, complete }) => {
    await complete(mock);
    const heard = follow(mock);
    await vi.waitFor(() => expect(last(heard).get(1)).toMatchObject({ sandbox: null, ended: 'answered' }));
    const { body } = await control('POST', '/sandboxes', { id: 'blue' });
    await complete(body as unknown as Parameters<typeof complete>[0]);
    await vi.waitFor(() =>
      expect(last(heard).get(2)).toMatchObject({ sandbox: 'blue', n: 1, status: 200, ended: 'answered' }),
    );
    const worlds = heard.events.filter(({ event }) => event === 'worlds').map(({ data }) => JSON.parse(data));
    expect(worlds[0]).toMatchObject({ worlds: [{ sandbox: null, since: 0 }] });
    expect(worlds.at(-1)).toMatchObject({
      worlds: [
        { sandbox: null, since: 0 },
        { sandbox: 'blue', since: 1 },
      ],
    });
    expect(JSON.stringify(heard.events)).not.toContain(mock.keys['primary']);
  });
});

test('goes on after the last event that a reader has seen, by header or query, and else from the start', async () => {
  await withControl(async ({ mock, complete }) => {
    const first = follow(mock);
    await complete(mock);
    await vi.waitFor(() => expect(last(first).get(1)?.ended).toBe('answered'));
    first.stop();
    const seen = first.events.at(-1)?.id ?? '';
    await complete(mock);
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
});

test('tells of a request that the workspace resolves, of a reset, and of what others change', async () => {
  await withControl(
    async ({ mock, control, complete }) => {
      const heard = follow(mock);
      void complete(mock, { 'idempotency-key': 'lost' }).catch(() => {});
      await vi.waitFor(() => expect(last(heard).get(1)?.ended).toBe('silent'));
      await control('POST', '/requests/lost/resolution', { outcome: 'completed' });
      await vi.waitFor(() => expect(last(heard).get(1)?.ledger).toHaveLength(3));
      await vi.waitFor(() =>
        expect(heard.events.filter(({ event }) => event === 'controlled')).toMatchObject([
          { data: '{"sandbox":null}' },
        ]),
      );
      await control('POST', '/reset');
      await vi.waitFor(() =>
        expect(heard.events.findLast(({ event }) => event === 'worlds')?.data).toContain('"since":1'),
      );
    },
    { faults: ['timeout times=1'] },
  );
});

test('tells nothing more of the requests that a reset has cut', async () => {
  await withControl(
    async ({ mock, control, complete }) => {
      const heard = follow(mock);
      const cut = complete(mock).catch(() => 'cut');
      await vi.waitFor(() => expect(last(heard).get(1)).toMatchObject({ model: 'compact-1', ended: null }));
      await control('POST', '/reset');
      expect(await cut).toBe('cut');
      await fetch(`${mock.url}/models`);
      await vi.waitFor(() => expect(last(heard).get(2)?.ended).toBe('answered'));
      const events = heard.events.map(({ event, data }) =>
        event === 'request' ? JSON.parse(data).id : event,
      );
      expect(events.slice(events.lastIndexOf('worlds')).filter((id) => id === 1)).toEqual([]);
    },
    { faults: ['timeout ms=60000 times=1'] },
  );
});

test('sends thousands of entries to a slow reader, in order, each at least in its latest state', async () => {
  await withControl(async ({ mock }) => {
    const journal = mock.sandboxes.root.journal;
    const begun = Array.from({ length: 3000 }, (_, index) =>
      journal?.begin({
        requestId: `r${index}`,
        idempotencyKey: undefined,
        method: 'GET',
        url: `/v1/${'x'.repeat(200)}`,
        body: null,
        rawHeaders: [],
      }),
    );
    const heard = follow(mock);
    for (const record of begun) record?.ended('answered', 1);
    await vi.waitFor(() => expect(last(heard).size).toBe(3000), { timeout: 10_000 });
    await vi.waitFor(() =>
      expect([...last(heard).values()].every(({ ended }) => ended === 'answered')).toBe(true),
    );
    const changes = heard.events
      .filter(({ event }) => event === 'request')
      .map(({ id }) => Number(id?.split('.')[1]));
    expect(changes).toEqual(changes.toSorted((one, other) => one - other));
  });
});

test('does not keep the mock from closing', async () => {
  // Longer than a test may take.
  const limits = { ...builtInWorld.limits, drainMs: 3_600_000 };
  await withControl(
    async ({ mock }) => {
      const heard = follow(mock);
      await vi.waitFor(() => expect(heard.events).not.toEqual([]));
    },
    { world: { ...builtInWorld, limits } },
  );
});

test('exports the journals of all worlds as one HAR, in the order of arrival', async () => {
  await withControl(async ({ mock, control, complete }) => {
    const made: unknown = (await control('POST', '/sandboxes', { id: 's1' })).body;
    const { url, keys } = z.object({ url: z.string(), keys: z.record(z.string(), z.string()) }).parse(made);
    for (const at of [{ url, keys }, mock, { url, keys }]) await complete(at);
    const urls = async (path: string): Promise<unknown> =>
      z
        .object({ log: z.object({ entries: z.array(z.object({ request: z.object({ url: z.string() }) })) }) })
        .parse((await control('GET', path)).body)
        .log.entries.map((entry) => entry.request.url.replace(mock.origin, ''));
    const [own, other] = ['/v1/chat/completions', '/sandboxes/s1/v1/chat/completions'];
    expect(await urls('/har?worlds=all')).toEqual([other, own, other]);
    expect(await urls('/har')).toEqual([own]);
    expect(await urls('/sandboxes/s1/har')).toEqual([other, other]);
  });
});

test('exports the journal as HAR, without keys', async () => {
  await withControl(async ({ mock, control, complete }) => {
    await complete(mock);
    const { body } = await control('GET', '/har');
    expect(body).toMatchObject({
      log: {
        version: '1.2',
        entries: [
          {
            request: { method: 'POST', url: `${mock.url}/chat/completions` },
            response: { status: 200, content: { mimeType: 'application/json' } },
            comment: 'answered',
          },
        ],
      },
    });
    expect(JSON.stringify(body)).not.toContain(mock.keys['primary']);
  });
});
