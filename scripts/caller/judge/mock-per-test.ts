import { hash } from 'node:crypto';
import { compileFaults } from '../../../mock-server/faults/compile-faults.ts';
import { checkOptions, fromOption } from '../../../mock-server/mock-options.ts';
import type { Sandbox } from '../../../mock-server/sandboxes/sandboxes.ts';
import { leftBehind } from '../../../mock-server/sandboxes/test-mock.ts';
import { type Host, type MockOptions, startMock } from '../../../mock-server/start-mock.ts';
import { checkWorld } from '../../../mock-server/world/check-world.ts';
import type { World } from '../../../mock-server/world/world-schema.ts';
import { freePort } from '../process-group.ts';
import { type JudgedMock, judgedMock } from './judge-sandbox.ts';

export { assertFaithful } from './judge-sandbox.ts';
export { assertSent, assertSentOnce, matchers, type MockMatchers } from './matchers.ts';

export interface UseMockOptions extends Pick<MockOptions, 'world' | 'seed' | 'latency' | 'faults'> {
  /** The name of the key that the environment gets; `primary` by default. */
  readonly key?: string;
  /** What a test means that ends without a request at the mock: a warning on stderr, the default, a failure, or nothing. */
  readonly withoutRequest?: 'warn' | 'fail' | 'allow';
}

interface Running {
  readonly test: string;
  readonly host: Host;
  readonly sandbox: Sandbox;
  readonly mock: JudgedMock;
}

/**
 * One mock, and behind its address a fresh sandbox for every test, for any test runner. OPENAI_* and CHAT_* variables name
 * it when this returns: clients may be made before the first test. Tests run one after the other.
 */
export function mockPerTest(options: UseMockOptions = {}) {
  const { faults = [], key = 'primary', withoutRequest = 'warn', ...others } = options;
  checkOptions(others, 'useMock');
  const { world } = fromOption('world', () => checkWorld(options.world ?? {}), 'useMock');
  const port = freePort();
  const rules = compileFaults(faults, world);
  const variables = variablesOf(world, key, port);
  let running: Running | undefined;
  Object.assign(process.env, variables);
  const starting = startMock({ ...others, world, port, background: true, control: true, witnessed: true });
  // Whoever waits for it is told why it could not be started.
  starting.catch(() => {});
  return {
    get current(): JudgedMock {
      if (running === undefined) throw new Error('The mock exists only while a test runs');
      return running.mock;
    },

    /** Takes the full name of the test: equal names get equal sandboxes. An inner test shares the outer one's. */
    async begin(test = ''): Promise<void> {
      if (running !== undefined && test.startsWith(`${running.test} > `)) return;
      const host = await starting;
      if (running !== undefined) throw new Error(CONCURRENT);
      // Another mock of the file, or the test before, may have set them.
      Object.assign(process.env, variables);
      const id = hash('sha256', test, 'hex').slice(0, 16);
      const sandbox = host.sandboxes.create({ id, hasOwnKeys: true, faults: rules });
      if (sandbox === null) throw new Error('The sandbox of this test still exists');
      host.sandboxes.front = sandbox;
      running = { test, host, sandbox, mock: judgedMock(host, sandbox) };
    },

    /** Throws for broken rules of credits and for armed faults that never triggered, unless the test has failed. Ignores inner tests. */
    end(test = '', hasFailed = false): void {
      if (running?.test !== test) return;
      const ended = running;
      running = undefined;
      end(ended, hasFailed ? undefined : withoutRequest);
    },

    async close(): Promise<void> {
      if (process.env['CHAT_BASE_URL'] === variables.CHAT_BASE_URL) restore(...Object.keys(variables));
      await (await starting).close();
    },
  };
}

/** `withoutRequest` undefined: the test has failed already, and no more is said of it. */
function end({ test, host, sandbox }: Running, withoutRequest: UseMockOptions['withoutRequest']): void {
  const left = leftBehind(sandbox);
  const isIdle = sandbox.journal?.came === 0;
  host.sandboxes.delete(sandbox.id ?? '');
  if (withoutRequest === undefined) return;
  // oxlint-disable-next-line no-console -- test frameworks show beside a test what goes to the console
  if (isIdle && withoutRequest === 'warn') console.warn(idleText(test));
  const wrong = isIdle && withoutRequest === 'fail' ? [...left, idleText(test)] : left;
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

/** The variables that the tested client and other clients read. */
function variablesOf({ keys }: World, name: string, port: number) {
  const found = keys.find((each) => each.name === name);
  if (found === undefined) throw new Error(`The world has no key named ${name}`);
  const [url, { key }] = [`http://127.0.0.1:${port}/v1`, found];
  return {
    OPENAI_BASE_URL: url,
    OPENAI_API_KEY: key,
    CHAT_BASE_URL: url,
    CHAT_API_KEY: key,
    CHAT_CONTROL_URL: `http://127.0.0.1:${port}/control`,
  };
}

/** What the user had set. */
const ORIGINAL = { ...process.env };

function restore(...names: readonly string[]): void {
  for (const name of names)
    if (ORIGINAL[name] === undefined) delete process.env[name];
    else process.env[name] = ORIGINAL[name];
}

const CONCURRENT =
  "Tests with useMock() must run one after the other: they share its address. In test.concurrent, start a mock in each test: const mock = await startMock() from 'chat-conformance', and give the client its url and a key";

/** What to do about a test whose requests, if it sent any, went elsewhere. */
function idleText(test: string): string {
  return [
    `chat-conformance: no request of the test "${test}" came to the mock.`,
    'If it should have sent one, its client was created before useMock() was called, and may have called the real provider:',
    'call useMock() in a file that the test imports before the application.',
    "Otherwise, call useMock({ withoutRequest: 'allow' }).",
  ].join('\n  ');
}
