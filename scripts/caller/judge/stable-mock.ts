import { createServer } from 'node:net';
import { type Mock, type MockOptions, startMock } from '../../../mock-server/start-mock.ts';
import type { World } from '../../../mock-server/world/world.ts';

/** A mock whose address clients can read from the environment at once. */
export interface StableMock {
  /** Rejects if the mock could not be started. */
  readonly started: Promise<Mock>;
  readonly variables: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** Starts a mock, and sets the environment for its clients before it listens. */
export function startStableMock(options: MockOptions & { readonly world: World }, key: string): StableMock {
  const port = freePort();
  const variables = variablesOf(options.world, key, port);
  const started = startMock({ ...options, port, background: true });
  const restore = setVariables(variables);
  // Whoever waits for it is told why it could not be started.
  started.catch(() => {});
  const close = async (): Promise<void> => {
    restore();
    await (await started).close();
  };
  return { started, variables, close };
}

/** A free port, at once: Node tells the port of a listening socket so early only if it listens at every address. */
function freePort(): number {
  const probe = createServer().on('error', () => {});
  probe.listen(0);
  const address = probe.address();
  probe.close();
  if (typeof address !== 'object' || address === null) throw new Error('No port is free for the mock');
  return address.port;
}

/** The variables that the tested client and other clients read. */
function variablesOf({ keys }: World, name: string, port: number): Record<string, string> {
  const found = keys.find((each) => each.name === name);
  if (found === undefined) throw new Error(`The world has no key named ${name}`);
  const [url, { key }] = [`http://127.0.0.1:${port}/v1`, found];
  return { OPENAI_BASE_URL: url, OPENAI_API_KEY: key, CHAT_BASE_URL: url, CHAT_API_KEY: key };
}

let users = 0;
let original: Readonly<Record<string, string | undefined>> = {};

/** Sets environment variables. Once every caller has called the returned function, they are what they were. */
function setVariables(variables: Readonly<Record<string, string>>): () => void {
  if (users === 0)
    original = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
  users += 1;
  Object.assign(process.env, variables);
  return () => {
    users -= 1;
    if (users > 0) return;
    for (const [name, value] of Object.entries(original)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
