import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { compileFaults } from '../faults/compile-rules.ts';
import { type Mock, type MockOptions, startMock } from '../start-mock.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import type { Sandbox } from './sandbox.ts';
import { sandboxPrefix, splitSandboxUrl } from './sandboxes.ts';

async function withMock(use: (mock: Mock) => Promise<void>, options: MockOptions = {}): Promise<void> {
  const mock = await startMock({ control: true, ...options });
  try {
    await use(mock);
  } finally {
    await mock.close();
  }
}

function made(mock: Mock, asked: Parameters<Mock['sandboxes']['create']>[0] = {}): Sandbox {
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
  return [
    `POST /sandboxes/${sandbox.id}/v1/chat/completions HTTP/1.1`,
    'Host: mock',
    `Authorization: Bearer ${keyOf(sandbox)}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

async function complete(mock: Mock, sandbox: Sandbox, content = 'Hello'): Promise<Response> {
  return fetch(`${mock.origin}/sandboxes/${sandbox.id}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keyOf(sandbox)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'compact-1', messages: [{ role: 'user', content }], max_tokens: 8 }),
  });
}

test('gives equal IDs and seeds equal keys and equal bytes, and other IDs other keys', async () => {
  const bytes = async (id: string): Promise<unknown> => {
    let seen: unknown;
    await withMock(async (mock) => {
      const sandbox = made(mock, { id });
      const response = await complete(mock, sandbox);
      seen = [keyOf(sandbox), [...response.headers], await response.text()];
    });
    return seen;
  };
  expect(await bytes('a')).toEqual(await bytes('a'));
  expect(await bytes('a')).not.toEqual(await bytes('b'));
});

test('numbers sandboxes without an ID, and gives none twice', async () => {
  await withMock(async (mock) => {
    made(mock, { id: 's2' });
    expect([made(mock).id, made(mock).id]).toEqual(['s1', 's3']);
    expect(mock.sandboxes.create({ id: 's3' })).toBe(null);
    mock.sandboxes.delete('s3');
    expect(made(mock).id).toBe('s4');
  });
});

test('serves a thousand sandboxes at once, and lets none touch another', async () => {
  await withMock(async (mock) => {
    const all = Array.from({ length: 1000 }, () => made(mock));
    for (const [index, sandbox] of all.entries()) {
      if (index % 2 === 0) sandbox.service.time.advance(index * 1000);
      sandbox.service.faults.arm([]);
    }
    const sizes = await Promise.all(
      all.map(async (sandbox, index) => {
        const answers = await Promise.all(
          Array.from({ length: 1 + (index % 3) }, (_, turn) => complete(mock, sandbox, `${turn}`)),
        );
        return answers.filter(({ status }) => status === 200).length;
      }),
    );
    for (const [index, { service, journal }] of all.entries()) {
      expect(sizes[index]).toBe(1 + (index % 3));
      expect(service.ledger.entries()).toHaveLength(1 + (index % 3));
      expect(service.ledger.invariants()).toEqual([]);
      expect(journal?.came).toBe(1 + (index % 3));
      expect(service.clock()).toBe(Date.UTC(2026, 0, 1) + (index % 2 === 0 ? index * 1000 : 0));
    }
    expect(mock.ledger.entries()).toEqual([]);
    expect(mock.sandboxes.root.journal?.came).toBe(0);
  });
});

function open(mock: Mock): Socket {
  return connect(mock.port, '127.0.0.1').on('error', () => {});
}

test('cuts the requests in flight in a deleted sandbox, and in no other', async () => {
  const model = { id: 'slow', contextTokens: 1024, price: { input: 1, output: 1 }, latencyMs: 60_000 };
  const world = {
    ...builtInWorld,
    models: [...builtInWorld.models, model],
    limits: { ...builtInWorld.limits, drainMs: 20 },
  };
  const keys = world.keys.map(({ name, key, workspace, scopes }) => ({ name, key, workspace, scopes }));
  await withMock(
    async (mock) => {
      const [one, other] = [made(mock), made(mock)];
      const [cut, kept] = [open(mock), open(mock)];
      cut.write(request(one, 'a', 'slow'));
      kept.write(request(other, 'a', 'slow'));
      await expect.poll(() => one.service.ledger.entries().length).toBe(1);
      await expect.poll(() => other.service.ledger.entries().length).toBe(1);
      const closed = once(cut, 'close');
      expect(mock.sandboxes.delete(one.id ?? '')).toBe(true);
      await closed;
      expect(kept.destroyed).toBe(false);
      expect(one.service.ledger.invariants()).toEqual([]);
      expect(other.service.ledger.entries()).toMatchObject([{ state: 'running' }]);
      kept.destroy();
    },
    { world: { ...world, keys } },
  );
});

test('cuts the connections that a fault holds in a sandbox, when it is reset or deleted', async () => {
  await withMock(async (mock) => {
    const sandbox = made(mock);
    for (const end of [() => sandbox.reset(), () => mock.sandboxes.delete('s1')]) {
      sandbox.service.faults.arm(compileFaults(['timeout'], sandbox.service.world));
      const held = open(mock);
      held.write(request(sandbox, 'a'));
      await expect.poll(() => sandbox.service.ledger.entries()).toMatchObject([{ state: 'under_review' }]);
      const closed = once(held, 'close');
      end();
      await closed;
    }
  });
});

test('serves requests to two sandboxes in turn on one connection', async () => {
  await withMock(async (mock) => {
    const [one, other] = [made(mock), made(mock)];
    const socket = open(mock);
    let seen = '';
    socket.setEncoding('latin1').on('data', (part: string) => (seen += part));
    socket.write(request(one, 'a') + request(other, 'a') + request(one, 'b'));
    await expect.poll(() => seen.match(/HTTP\/1\.1 200/g)?.length).toBe(3);
    expect([one, other].map(({ journal }) => journal?.came)).toEqual([2, 1]);
    mock.sandboxes.delete('s1');
    socket.write(request(other, 'c'));
    await expect.poll(() => seen.match(/HTTP\/1\.1 200/g)?.length).toBe(4);
    socket.destroy();
  });
});

test('answers for a sandbox that is not there as for any unknown path', async () => {
  await withMock(async (mock) => {
    const response = await fetch(`${mock.origin}/sandboxes/none/v1/models`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('"not_found"');
  });
});

test('splits a URL into its sandbox and the rest', () => {
  expect(splitSandboxUrl(`${sandboxPrefix('s1')}/v1/models?a=/b`)).toEqual({
    id: 's1',
    rest: '/v1/models?a=/b',
  });
});

test.each(['/v1/models', '/sandboxes', '/sandboxes/s1', '/x/sandboxes/s1/v1'])(
  'finds no sandbox in %s',
  (url) => {
    expect(splitSandboxUrl(url)).toBe(null);
  },
);
