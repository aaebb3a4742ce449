import { hash } from 'node:crypto';
import { compileFaults } from '../faults/compile-rules.ts';
import { type Mock, type MockOptions, startMock } from '../start-mock.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import { leftBehind, type TestMock, testMock } from './test-mock.ts';

export interface UseMockOptions extends Pick<
  MockOptions,
  'world' | 'seed' | 'latency' | 'latencyPerToken' | 'faults' | 'dropping'
> {
  /** The name of the key that the environment gets; `primary` by default. */
  readonly key?: string;
  /** Whether each sandbox records its requests whole, secrets included. */
  readonly witnessed?: boolean;
}

interface Running {
  readonly test: string;
  readonly mock: TestMock;
  readonly end: () => void;
}

/** What the hooks of a test framework call. */
export interface SandboxPerTest {
  readonly current: TestMock;
  /** Takes the full name of the test: equal names get equal sandboxes. An inner test shares the outer one's. */
  begin(test: string): Promise<void>;
  /** Throws for broken rules of credits and for armed faults that never triggered. Ignores inner tests. */
  end(test: string): void;
  close(): Promise<void>;
}

/** One mock, started with the first test, and a fresh sandbox for every test. Tests run one after the other. */
export function createSandboxPerTest({
  faults = [],
  key = 'primary',
  ...options
}: UseMockOptions): SandboxPerTest {
  const rules = compileFaults(faults, options.world ?? builtInWorld);
  let started: Promise<Mock> | undefined;
  let running: Running | undefined;
  return {
    get current() {
      if (running === undefined) throw new Error('The mock exists only while a test runs');
      return running.mock;
    },
    async begin(test) {
      if (running !== undefined && test.startsWith(`${running.test} > `)) return;
      started ??= startMock({ ...options, control: true });
      const host = await started;
      if (running !== undefined) throw new Error('Tests with a mock must run one after the other');
      running = open(host, test, key, rules);
    },
    end(test) {
      if (running?.test !== test) return;
      const { mock, end } = running;
      running = undefined;
      const left = leftBehind(mock);
      end();
      if (left.length > 0) throw new Error(left.join('\n'));
    },
    close: async () => (await started)?.close(),
  };
}

function open(host: Mock, test: string, key: string, faults: ReturnType<typeof compileFaults>): Running {
  if (host.keys[key] === undefined) throw new Error(`The world has no key named ${key}`);
  const made = host.sandboxes.create({ id: hash('sha256', test, 'hex').slice(0, 16), faults });
  if (made === null) throw new Error('The sandbox of this test still exists');
  const mock = testMock(host, made);
  const restore = setEnvironment(environment(mock, key));
  const end = (): void => {
    restore();
    host.sandboxes.delete(made.id ?? '');
  };
  return { test, mock, end };
}

/** The variables that the tested client and other clients read. */
function environment({ url, keys }: TestMock, name: string): Record<string, string> {
  const key = keys[name] ?? '';
  return { OPENAI_BASE_URL: url, OPENAI_API_KEY: key, CHAT_BASE_URL: url, CHAT_API_KEY: key };
}

/** Sets environment variables. Call the returned function to restore them. */
function setEnvironment(variables: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
