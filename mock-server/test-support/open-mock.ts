import { expect, onTestFinished } from 'vitest';
import { type Host, type HostOptions, type Mock, startMock } from '../start-mock.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import { type Caller, createCallers } from '../world/caller.ts';
import { completeWorld } from '../world/check-world.ts';
import type { World } from '../world/world-schema.ts';

/** A chat of six tokens of input that is served. */
export const CHAT = { model: 'compact-1', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 8 };

/** What it costs: six tokens of input at 1, and eight of output at 2, since the text is longer than that. */
export const COST = 22;

/** A mock until the end of the test, when its books must balance. It does not wait long for open connections. */
export async function openMock(options: HostOptions = {}): Promise<Host> {
  const mock = await startMock({ world: completeWorld({ limits: { drainMs: 200 } }), ...options });
  onTestFinished(async () => {
    const broken = mock.workspace.invariants();
    await mock.close();
    expect(broken).toEqual([]);
  });
  return mock;
}

/** The same, in a world that the schema of a world would refuse. */
export async function openUnchecked(world: World, options: HostOptions = {}): Promise<Host> {
  const mock = await openMock(options);
  mock.sandboxes.root.change({ world, worldRules: { faults: [], answers: [] } });
  return mock;
}

/** The built-in world in which every workspace has so many credits, and every key so many slots. */
export function poorWorld(credits: number, concurrency = 32): World {
  return {
    ...builtInWorld,
    workspaces: builtInWorld.workspaces.map((workspace) => ({ ...workspace, credits })),
    keys: builtInWorld.keys.map((key) => ({ ...key, concurrency })),
  };
}

/** Whoever calls the built-in world with this key. */
export function callerNamed(name: string): Caller {
  const caller = createCallers(builtInWorld).find((one) => one.name === name);
  if (caller === undefined) throw new Error(`no key is called ${name}`);
  return caller;
}

/** A mock, or a sandbox of one. */
export type Place = Pick<Mock, 'url' | 'keys'>;

type Headers = Readonly<Record<string, string>>;

/** Posts a chat with the primary key. */
export function complete(
  { url, keys }: Place,
  body: object | string = CHAT,
  headers: Headers = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys['primary']}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  });
}

/** Asks for a list with a key. */
export function get({ url, keys }: Place, path: string, key = 'primary'): Promise<Response> {
  return fetch(`${url}/${path}`, { headers: { authorization: `Bearer ${keys[key]}` } });
}

/** The error object of a refusal. */
export async function errorOf(answer: Response): Promise<{ code: string; message: string }> {
  const { error }: { error: { code: string; message: string } } = JSON.parse(await answer.text());
  return error;
}
