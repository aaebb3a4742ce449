import { type Mock, type MockOptions, startMock } from '../mock-server/start-mock.ts';
import type { World } from '../mock-server/world.ts';

/** What the command line can say of a mock. */
export interface MockCommandOptions {
  readonly port?: number;
  readonly host?: string;
  /** Path of a world file. */
  readonly world?: string;
  readonly seed?: number;
  /** Milliseconds. */
  readonly latency?: number;
  /** Milliseconds. */
  readonly latencyPerToken?: number;
  /** A log line for each answer. */
  readonly logAnswers?: boolean;
}

const WRONG_USAGE = 2;

/**
 * Serves a mock until SIGTERM or SIGINT, then drains and ends. One JSON line on stdout, `{ url, keys, seed, pid }`,
 * says that it is ready; everything else goes to stderr. Resolves with the exit code: 0, or 2 with one line on stderr
 * for a world that cannot be read or a port that cannot be had.
 */
export async function runMockCommand(options: MockCommandOptions): Promise<number> {
  const stopped = stopSignal();
  try {
    const mock = await start(options);
    ready(mock);
    log(`stopping: ${await stopped.signal}`);
    await mock.close();
    log('stopped');
    return 0;
  } catch (error) {
    if (!isWrongUsage(error)) throw error;
    log(error.message);
    return WRONG_USAGE;
  } finally {
    stopped.forget();
  }
}

async function start({ world: path, ...options }: MockCommandOptions): Promise<Mock> {
  const mockOptions: MockOptions = { ...options, log };
  if (path === undefined) return startMock(mockOptions);
  return startMock({ ...mockOptions, world: await readWorld(path) });
}

/** Loaded only here: the schema library would double the time to the first answer. */
async function readWorld(path: string): Promise<World> {
  const { readWorldFile } = await import('../mock-server/world-file.ts');
  return readWorldFile(path);
}

function ready({ url, keys, seed, world }: Mock): void {
  log(`serving ${world.models.length} models at ${url}`);
  process.stdout.write(`${JSON.stringify({ url, keys, seed, pid: process.pid })}\n`);
}

/** The handlers stand before anyone is told that the mock is ready. A second signal ends the process at once. */
function stopSignal(): { signal: Promise<NodeJS.Signals>; forget: () => void } {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const forget = (): void => {
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
  };
  const stop = (signal: NodeJS.Signals): void => {
    forget();
    resolve(signal);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return { signal: promise, forget };
}

/** A world that cannot be served, or an address that Node could not listen on: the message is for people as it is. */
function isWrongUsage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'WorldFileError' ||
    ('syscall' in error && error.syscall === 'listen') ||
    isAddressError(error)
  );
}

function isAddressError(error: Error): boolean {
  return 'code' in error && (error.code === 'ERR_SOCKET_BAD_PORT' || error.code === 'ENOTFOUND');
}

function log(line: string): void {
  process.stderr.write(`mock: ${line}\n`);
}
