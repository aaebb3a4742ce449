import type { Server } from 'node:http';
import type { AnswerRule, GivenAnswer } from './answers/compile-answers.ts';
import { requireToken } from './control/guard.ts';
import type { Operation } from './control/operation.ts';
import { createControl } from './control/serve-control.ts';
import type { DefectName } from './defects/defects.ts';
import { bothDefects, type DefectHooks } from './exchange/defect-hooks.ts';
import type { Certified, FaultRule, FaultWords } from './faults/compile-faults.ts';
import { Connections } from './http/connections.ts';
import { createHttpServer } from './http/create-http-server.ts';
import type { JournalEntry } from './journal/journal.ts';
import type { InitialState } from './sandboxes/sandbox.ts';
import { Sandboxes } from './sandboxes/sandboxes.ts';
import type { KeyedCertificate } from './tls/authority.ts';
import type { Certificates } from './tls/certificates.ts';
import type { Secured } from './tls/secure-connections.ts';
import type { Ledger } from './workspace/ledger.ts';
import { builtInWorld } from './world/built-in-world.ts';
import { worldProblems } from './world/world-problems.ts';
import type { World } from './world/world.ts';

export interface MockOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** Whether the process may end while the mock listens; not by default. */
  readonly background?: boolean;
  /** The built-in world by default. */
  readonly world?: World;
  /** Equal seeds give equal texts and IDs; 1 by default. */
  readonly seed?: number;
  /** Speak TLS: `true`, with a certificate of an authority of the mock's own (`ca`), or with this one, as PEM. */
  readonly tls?: true | KeyedCertificate;
  /** Milliseconds added to every completion. */
  readonly latency?: number;
  /** Milliseconds added for every token of the output. */
  readonly latencyPerToken?: number;
  /** Milliseconds before a chat is looked at: requests that are sent at once are all under way before one is refused. */
  readonly latencyPerRequest?: number;
  /** Receives one line for each unexpected failure. */
  readonly log?: (line: string) => void;
  /** Also logs a line for each answer. */
  readonly logAnswers?: boolean;
  /** Called when a request has ended; journals are kept then. */
  readonly requestEnded?: (entry: JournalEntry) => void;
  /** Armed in the mock's own world at the start, and again after each reset. */
  readonly faults?: readonly FaultWords[];
  /** Chosen answers of the mock's own world, before those of the world's file; a sandbox starts without them. */
  readonly answers?: readonly GivenAnswer[];
  /** Whether `/control` is served, and journals are kept. */
  readonly control?: boolean;
  /** The bearer token of control requests. Required unless the host is a loopback address. */
  readonly controlToken?: string;
  /** Whether each sandbox records its requests whole, secrets included. Needs `control`. */
  readonly witnessed?: boolean;
  /** Further operations of the control API. */
  readonly operations?: readonly Operation[];
  /** Whether members that the specification does not know are ignored: for judges of callers, which see them. */
  readonly lenient?: boolean;
  /** The way in which the mock breaks the specification, or several at once; absent: it is faithful. */
  readonly defect?: DefectName | readonly DefectName[];
}

export interface Mock {
  /** The base URL, which ends in /v1 (CALL-7). */
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  /** The certificate, as PEM, by which clients trust the mock, if it speaks TLS with one of its own. */
  readonly ca: string | undefined;
  readonly seed: number;
  /** The bearer keys, by their names in the world. */
  readonly keys: Readonly<Record<string, string>>;
  readonly world: World;
  readonly ledger: Pick<Ledger, 'account' | 'entries' | 'invariants'>;
  /** The URL of the control API; undefined: it is not served. */
  readonly control: string | undefined;
  /** The URL of the inspector, a page for people; undefined: it is not served. */
  readonly ui: string | undefined;
  /** The way in which it breaks the specification, the first of several; undefined: it is faithful. */
  readonly defect: DefectName | undefined;
  /** Its own world, and the isolated worlds in it. */
  readonly sandboxes: Sandboxes;
  /** Takes no more requests, lets running ones end within the world's `drainMs`, and closes. */
  close(): Promise<void>;
}

/**
 * Starts the service on its own port. Many mocks can run in one process, and share nothing. Resolves once the
 * socket listens. Rejects for a world that contradicts itself, an unknown fault or defect, a control API that anyone
 * could reach, or with Node's error for a port that it cannot use.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const { host = '127.0.0.1', port = 0, control = false } = options;
  const token = options.controlToken?.trim();
  const { operations = [] } = options;
  const [defect] = namesOf(options.defect);
  if (control) requireToken(host, token);
  const connections = new Connections();
  const certificates = await loadCertificates(options.tls, host);
  const initial = await initialState(options, certificates?.certified);
  const sandboxes = new Sandboxes(initial, connections);
  tellOfEnds(sandboxes, options.requestEnded);
  const served = { sandboxes, connections };
  const server = createHttpServer({
    ...served,
    ...(control && { control: createControl({ ...served, token, operations, log: initial.log }) }),
  });
  if (certificates !== undefined) await secure(server, { ...served, certificates });
  if (options.background === true) server.unref();
  const bound = await listen(server, { port, host, log: initial.log });
  const origin = originOf(certificates === undefined ? 'http' : 'https', host, bound);
  const { seed, world } = initial;
  return {
    url: `${origin}/v1`,
    origin,
    port: bound,
    ca: certificates?.ca,
    seed,
    keys: Object.fromEntries(world.keys.map(({ name, key }) => [name, key])),
    world,
    // Each reset replaces it.
    get ledger() {
      return sandboxes.root.service.ledger;
    },
    control: control ? `${origin}/control` : undefined,
    ui: control ? `${origin}/control/ui` : undefined,
    defect,
    sandboxes,
    close: () => close(server, sandboxes, connections),
  };
}

function originOf(scheme: string, host: string, port: number): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** A request that was resolved later changes once more, and is not told of again. */
function tellOfEnds({ feed }: Sandboxes, tell: MockOptions['requestEnded']): void {
  if (tell === undefined) return;
  const told = new WeakSet<JournalEntry>();
  feed?.listen({
    request({ entry }) {
      if (entry.ended === null || told.has(entry)) return;
      told.add(entry);
      tell(entry);
    },
  });
}

async function initialState(options: MockOptions, certified: Certified): Promise<InitialState> {
  const { world = builtInWorld, seed = 1, latency = 0, latencyPerToken = 0 } = options;
  const { latencyPerRequest = 0 } = options;
  const [problem] = worldProblems(world);
  if (problem !== undefined) throw new Error(`Invalid world at ${problem.pointer}: ${problem.message}`);
  return {
    world,
    seed,
    latency: { perRequest: latencyPerRequest, perCompletion: latency, perToken: latencyPerToken },
    log: forgiving(options.log),
    logAnswers: options.logAnswers === true,
    certified,
    faults: await loadFaults(options.faults ?? [], world, certified),
    answers: await loadAnswers(options.answers ?? [], world),
    worldAnswers: await loadAnswers(world.answers ?? [], world),
    journaled: options.control === true || options.requestEnded !== undefined,
    witnessed: options.witnessed === true,
    defect: options.lenient === true ? await loadLenience() : await loadDefects(namesOf(options.defect)),
  };
}

/** A log that throws or rejects does not end the mock. */
function forgiving(log: MockOptions['log']): (line: string) => void {
  return (line) => {
    try {
      const logged: unknown = log?.(line);
      if (logged instanceof Promise) logged.catch(() => {});
    } catch {
      // What cannot be logged is lost.
    }
  };
}

/** Loads the schema of fault rules only where there is one: that halves the time to start. */
async function loadFaults(
  faults: readonly FaultWords[],
  world: World,
  certified: Certified,
): Promise<readonly FaultRule[]> {
  if (faults.length === 0) return [];
  const { compileFaults } = await import('./faults/compile-faults.ts');
  return compileFaults(faults, world, certified);
}

/** As late as the schema of fault rules. */
async function loadAnswers(answers: readonly GivenAnswer[], world: World): Promise<readonly AnswerRule[]> {
  if (answers.length === 0) return [];
  const { compileAnswers } = await import('./answers/compile-answers.ts');
  return compileAnswers(answers, world);
}

function namesOf(defect: MockOptions['defect'] = []): readonly DefectName[] {
  return typeof defect === 'string' ? [defect] : defect;
}

/** Loaded only when asked for: a faithful mock starts faster without. */
async function loadDefects(names: readonly DefectName[]): Promise<DefectHooks | undefined> {
  if (names.length === 0) return undefined;
  const { DEFECTS } = await import('./defects/defects.ts');
  const unknown = names.find((name) => !Object.hasOwn(DEFECTS, name));
  if (unknown !== undefined) throw new Error(`There is no defect ${JSON.stringify(unknown)}`);
  return names.map((name): DefectHooks => DEFECTS[name]).reduce(bothDefects);
}

/** Loaded only when asked for, like all that speaks TLS. */
async function loadCertificates(tls: MockOptions['tls'], host: string): Promise<Certificates | undefined> {
  if (tls === undefined) return undefined;
  const { givenCertificate, ownCertificates } = await import('./tls/certificates.ts');
  return tls === true ? ownCertificates(host) : givenCertificate(tls);
}

async function secure(server: Server, secured: Secured): Promise<void> {
  const { speakTls } = await import('./tls/secure-connections.ts');
  speakTls(server, secured);
}

async function loadLenience(): Promise<DefectHooks> {
  return (await import('./defects/kit/requests.ts')).LENIENT;
}

async function listen(
  server: Server,
  { port, host, log }: { port: number; host: string; log: (line: string) => void },
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  server.off('error', reject);
  // A connection that could not be accepted; the others go on.
  server.on('error', (error) => log(`the server met ${error.message}`));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

async function close(server: Server, sandboxes: Sandboxes, connections: Connections): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // A second call finds the server closed already.
  server.close(() => resolve());
  connections.drain();
  sandboxes.wake();
  const deadline = setTimeout(() => {
    sandboxes.flush();
    // Once the answers that waited have left.
    setImmediate(() => server.closeAllConnections());
  }, sandboxes.root.service.world.limits.drainMs);
  await promise;
  clearTimeout(deadline);
  sandboxes.flush();
}
