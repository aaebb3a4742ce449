import type { Server } from 'node:http';
import type { GivenAnswer } from './answers/compile-answers.ts';
import type { DefectHooks } from './chat/defect-hooks.ts';
import type { InitialState } from './chat/service.ts';
import { requireToken } from './control/guard.ts';
import { createControl } from './control/serve-control.ts';
import type { FaultWords } from './faults/compile-faults.ts';
import { Connections } from './http/connections.ts';
import { createHttpServer } from './http/create-http-server.ts';
import type { JournalRecord } from './journal/journal.ts';
import { RequestFeed } from './journal/memory-journal.ts';
import { showEntry } from './journal/shown-exchange.ts';
import { checkOptions, fromOption, type HostOptions, type MockOptions, OptionError } from './mock-options.ts';
import { listening } from './protocol/loopback.ts';
import { type SandboxView, sandboxView } from './sandboxes/sandbox-view.ts';
import { Sandboxes } from './sandboxes/sandboxes.ts';
import type { TestMock } from './sandboxes/test-mock.ts';
import { clearTimeout, setImmediate, setTimeout } from './time/timers.ts';
import { builtInWorld } from './world/built-in-world.ts';
import type { CheckedWorld } from './world/check-world.ts';
import type { WorldPart, World } from './world/world-schema.ts';

export type { HostOptions, MockOptions };

export interface Mock extends SandboxView {
  /** The base URL, which ends in /v1 (CALL-7). */
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  readonly seed: number;
  /** The URL of the control API; undefined: it is not served. */
  readonly control: string | undefined;
  /** The URL of the inspector, a page for people; undefined: it is not served. */
  readonly ui: string | undefined;
  /** The way in which it breaks the specification, the first of several; undefined: it is faithful. */
  readonly defect: string | undefined;
  /** Arms faults after the armed ones, until a reset: resolves to their IDs, or rejects with the place of what is wrong, and arms none. */
  arm(...faults: readonly FaultWords[]): Promise<readonly string[]>;
  /** Chooses answers, after those chosen before, until a reset: `answer('text="It rains." contains=weather')`. As `arm`. */
  answer(...answers: readonly GivenAnswer[]): Promise<readonly string[]>;
  /** Changes parts of its own world while it runs, until a reset: credits are the new balance; null drops a key or a model. */
  changeWorld(part: WorldPart): Promise<World>;
  /** Takes no more requests, lets running ones end within the world's `drainMs`, and closes. */
  close(): Promise<void>;
}

/** A mock with what only this project uses of it. */
export interface Host extends Mock {
  /** Its own world, and the isolated worlds in it. */
  readonly sandboxes: Sandboxes;
}

/** As the library's `startMock`. Also rejects for a control API that anyone could reach. */
export async function startMock(options: HostOptions = {}): Promise<Host> {
  checkOptions(options);
  const { host = '127.0.0.1', port = 0, control = false } = options;
  if (control) requireToken(host, options.controlToken?.trim());
  const connections = new Connections();
  const initial = await initialState(options);
  const isKept = options.journal !== false || control || options.requestEnded !== undefined;
  const sandboxes = new Sandboxes(initial, connections, isKept ? new RequestFeed() : undefined);
  tellEnded(sandboxes, options);
  const { log } = initial;
  const server = createServer(options, { sandboxes, connections, log });
  const { port: bound, origin } = await listening(server, host, port);
  // A connection that could not be accepted; the others go on.
  server.on('error', (error) => log(`the server met ${error.message}`));
  const { root } = sandboxes;
  // Loads the schemas of rules and worlds.
  const view = async (): Promise<TestMock> => (await import('./sandboxes/test-mock.ts')).testMock(root);
  return Object.assign(sandboxView(root), {
    url: `${origin}/v1`,
    origin,
    port: bound,
    seed: initial.seed,
    control: control ? `${origin}/control` : undefined,
    ui: control ? `${origin}/control/ui` : undefined,
    defect: [options.defect].flat()[0],
    sandboxes,
    arm: async (...faults: readonly FaultWords[]) => (await view()).arm(...faults),
    answer: async (...answers: readonly GivenAnswer[]) => (await view()).answer(...answers),
    changeWorld: async (part: WorldPart) => (await view()).changeWorld(part),
    close: () => close(server, sandboxes, connections),
  });
}

function createServer(
  { control = false, controlToken, operations = [], background = false }: HostOptions,
  served: Omit<Parameters<typeof createControl>[0], 'token' | 'operations'>,
): Server {
  const controlled = { ...served, token: controlToken?.trim(), operations };
  const server = createHttpServer({ ...served, control: control ? createControl(controlled) : undefined });
  if (background) server.unref();
  return server;
}

/** Tells of each request once: one that is resolved later changes once more. */
function tellEnded(sandboxes: Sandboxes, { requestEnded }: HostOptions): void {
  if (requestEnded === undefined) return;
  const told = new WeakSet<JournalRecord>();
  sandboxes.feed?.on('request', (record) => {
    const { ended, sandbox } = record.entry;
    if (ended === null || told.has(record)) return;
    told.add(record);
    const { service } = (sandbox === null ? undefined : sandboxes.get(sandbox)) ?? sandboxes.root;
    requestEnded(showEntry(record, service.keys));
  });
}

async function initialState(options: HostOptions): Promise<InitialState> {
  const { seed = 1, latency = 0, latencyPerRequest = 0 } = options;
  const checked = await loadWorld(options.world);
  return {
    ...checked,
    seed,
    latency: { perRequest: latencyPerRequest, perCompletion: latency },
    log: options.log ?? (() => {}),
    ...(await loadRules(options, checked.world)),
    witnessed: options.witnessed === true,
    defects: await loadDefects(options),
  };
}

/** The schemas of worlds and rules are loaded only where there is one: that halves the time to start. */
async function loadWorld(part: WorldPart | undefined): Promise<CheckedWorld> {
  if (part === undefined) return { world: builtInWorld, worldRules: { faults: [], answers: [] } };
  const { checkWorld } = await import('./world/check-world.ts');
  return fromOption('world', () => checkWorld(part));
}

async function loadRules({ faults = [], answers = [] }: HostOptions, world: World) {
  if (faults.length + answers.length === 0) return { faults: [], answers: [] };
  const [{ compileFaults }, { compileAnswers }] = await Promise.all([
    import('./faults/compile-faults.ts'),
    import('./answers/compile-answers.ts'),
  ]);
  return {
    faults: fromOption('faults', () => compileFaults(faults, world)),
    answers: fromOption('answers', () => compileAnswers(answers, world)),
  };
}

/** Loaded only when asked for: a faithful mock starts faster without. */
async function loadDefects({ lenient, defect = [] }: HostOptions): Promise<readonly DefectHooks[]> {
  if (lenient === true) return [(await import('./defects/kit/requests.ts')).LENIENT];
  const names = [defect].flat();
  if (names.length === 0) return [];
  const { DEFECTS } = await import('./defects/defects.ts');
  return names.map((name) => {
    const known = DEFECTS.get(name);
    if (known === undefined) throw new OptionError('defect', `there is no ${JSON.stringify(name)}`);
    return known;
  });
}

async function close(server: Server, sandboxes: Sandboxes, connections: Connections): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // A second call finds the server closed already.
  server.close(() => resolve());
  connections.drain();
  sandboxes.wake();
  const deadline = setTimeout(() => {
    sandboxes.flush();
    // Once the answers that waited have left, each a turn after it was made.
    setImmediate(() => setImmediate(() => server.closeAllConnections()));
  }, sandboxes.root.service.world.limits.drainMs);
  await promise;
  clearTimeout(deadline);
  sandboxes.flush();
}
