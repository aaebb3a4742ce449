import { expect, test } from 'vitest';
import { compileFaults } from '../faults/compile-faults.ts';
import type { Host } from '../start-mock.ts';
import { CHAT, complete, openMock } from '../test-support/open-mock.ts';
import { dial, post } from '../test-support/wire.ts';
import { completeWorld } from '../world/check-world.ts';
import { type Sandbox, sandboxPrefix } from './sandboxes.ts';

const control = { control: true };

function made(mock: Host, asked: Parameters<Host['sandboxes']['create']>[0] = {}): Sandbox {
  const sandbox = mock.sandboxes.create(asked);
  if (sandbox === null) throw new Error('No sandbox was made');
  return sandbox;
}

function keyOf({ service }: Sandbox): string {
  return service.world.keys[0]?.key ?? '';
}

/** The head and body of a completion at a sandbox, as bytes on a wire. */
function request(sandbox: Sandbox, content: string, model = 'compact-1'): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content }] });
  const own = post({ keys: { primary: keyOf(sandbox) } }, body);
  return own.replace('/v1', `/sandboxes/${sandbox.id}/v1`);
}

function ask({ origin }: Host, sandbox: Sandbox, content = 'Hello'): Promise<Response> {
  const place = { url: `${origin}/sandboxes/${sandbox.id}/v1`, keys: { primary: keyOf(sandbox) } };
  return complete(place, { ...CHAT, messages: [{ role: 'user', content }] });
}

test('gives equal IDs and seeds equal keys and equal bytes, and other IDs other keys', async () => {
  const bytes = async (id: string): Promise<unknown> => {
    const mock = await openMock(control);
    const sandbox = made(mock, { id });
    const response = await ask(mock, sandbox);
    return [keyOf(sandbox), [...response.headers], await response.text()];
  };
  expect(await bytes('a')).toEqual(await bytes('a'));
  expect(await bytes('a')).not.toEqual(await bytes('b'));
});

test('numbers sandboxes without an ID, and gives none twice', async () => {
  const mock = await openMock(control);
  made(mock, { id: 's2' });
  expect([made(mock).id, made(mock).id]).toEqual(['s1', 's3']);
  expect(mock.sandboxes.create({ id: 's3' })).toBe(null);
  mock.sandboxes.delete('s3');
  expect(made(mock).id).toBe('s4');
});

test('serves many sandboxes at once, and lets none touch another', async () => {
  const mock = await openMock(control);
  const all = Array.from({ length: 60 }, () => made(mock));
  for (const [index, sandbox] of all.entries()) {
    if (index % 2 === 0) sandbox.service.time.advance(index * 1000);
    sandbox.service.faults.arm([]);
  }
  const sizes = await Promise.all(
    all.map(async (sandbox, index) => {
      const answers = await Promise.all(
        Array.from({ length: 1 + (index % 3) }, (_, turn) => ask(mock, sandbox, `${turn}`)),
      );
      return answers.filter(({ status }) => status === 200).length;
    }),
  );
  for (const [index, { service, journal }] of all.entries()) {
    expect(sizes[index]).toBe(1 + (index % 3));
    expect(service.ledger.entries()).toHaveLength(1 + (index % 3));
    expect(service.ledger.invariants()).toEqual([]);
    expect(journal?.came).toBe(1 + (index % 3));
    expect(service.time.now()).toBe(Date.UTC(2026, 0, 1) + (index % 2 === 0 ? index * 1000 : 0));
  }
  expect(mock.workspace.entries()).toEqual([]);
  expect(mock.sandboxes.root.journal?.came).toBe(0);
});

test('cuts the requests in flight in a deleted sandbox, and in no other', async () => {
  const world = completeWorld({ limits: { drainMs: 20 } });
  const mock = await openMock({ control: true, world, latency: 60_000 });
  const [one, other] = [made(mock), made(mock)];
  const [cut, kept] = [dial(mock, request(one, 'a')), dial(mock, request(other, 'a'))];
  for (const { service } of [one, other])
    await expect.poll(() => service.ledger.entries()).toMatchObject([{ state: 'running' }]);
  expect(mock.sandboxes.delete(one.id ?? '')).toBe(true);
  await cut.over;
  expect(kept.received.end).toBe('open');
  expect(one.service.ledger.invariants()).toEqual([]);
  expect(other.service.ledger.entries()).toMatchObject([{ state: 'running' }]);
});

test('cuts the connections that a fault holds in a sandbox, when it is reset or deleted', async () => {
  const mock = await openMock(control);
  const sandbox = made(mock);
  for (const end of [() => sandbox.reset(), () => mock.sandboxes.delete('s1')]) {
    sandbox.service.faults.arm(compileFaults(['timeout'], sandbox.service.world));
    const held = dial(mock, request(sandbox, 'a'));
    await expect.poll(() => sandbox.service.ledger.entries()).toMatchObject([{ state: 'under_review' }]);
    end();
    await held.over;
  }
});

test('serves requests to two sandboxes in turn on one connection', async () => {
  const mock = await openMock(control);
  const [one, other] = [made(mock), made(mock)];
  const { socket, received } = dial(mock, request(one, 'a') + request(other, 'a') + request(one, 'b'));
  const served = (): number => received.bytes.split('HTTP/1.1 200').length - 1;
  await expect.poll(served).toBe(3);
  expect([one, other].map(({ journal }) => journal?.came)).toEqual([2, 1]);
  mock.sandboxes.delete('s1');
  socket.write(request(other, 'c'));
  await expect.poll(served).toBe(4);
});

test('finds the sandbox of a URL, and the rest of it', async () => {
  const { sandboxes } = await openMock(control);
  const sandbox = sandboxes.create({ id: 's1' });
  const url = '/v1/models?a=/b';
  expect(sandboxes.find(`${sandboxPrefix('s1')}${url}`)).toEqual({ sandbox, url });
  for (const other of [url, '/sandboxes', '/sandboxes/s1', '/sandboxes/s2/v1', '/x/sandboxes/s1/v1'])
    expect(sandboxes.find(other)).toEqual({ sandbox: sandboxes.root, url: other });
});
