import { once } from 'node:events';
import { connect, type NetConnectOpts } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { CONNECTION_BROKE, type Exchange, isChargeable, type Outcome } from '../model/exchange.ts';
import { CONNECTION_REFUSED } from '../network/connection-failures.ts';
import { plainHost, portOf, type Route } from '../network/route.ts';
import { hasSucceeded, isSuccess, isUnavailable } from '../reading/answers.ts';
import { WAS_CLOSING } from './transport.ts';

/** Milliseconds before each further look: a supervisor may start the target again. */
const PAUSES_MS: readonly number[] = [0, 100, 400, 1000];

const LONGEST_LOOK_MS = 1000;

const IN_A_ROW = 3;

const TARGET_DIED = 'the target no longer answers';

/** So many server errors without a completion in between may be those of a service that has lost its state, such as its disk. */
const FAILURES_IN_A_ROW = 5;

/** How the IDs of those exchanges begin that ask it again for the first completion that it served. */
export const SECOND_LOOK = 'second-look';

export function isSecondLook({ id }: Pick<Exchange, 'id'>): boolean {
  return id.startsWith(SECOND_LOOK);
}

const SECOND_LOOKS = 3;

/**
 * Notices when a target is no longer to be trusted with requests: several outcomes in a row are uncertain, nothing listens
 * any more, or what it served once fails. For that it opens a connection, and sends nothing unless chats fail in a row.
 * Through a proxy it sees no further than the proxy.
 */
export class Lifeline {
  readonly #place: NetConnectOpts;
  readonly #askAgain: () => Promise<Outcome>;
  #hasAnswered = false;
  #looking: Promise<void> | undefined;
  #asking: Promise<void> | undefined;
  #uncertain = 0;
  #failures = 0;
  #isBroken = false;
  /** How often it has gone since it last served anything. */
  #deaths = 0;
  /** Whether it was gone, and has answered nothing since: what was under way then is one uncertain outcome. */
  #isDown = false;
  /** Why nothing more is sent; undefined while something listens. */
  ended: string | undefined;

  constructor({ origin, proxy = origin }: Route, askAgain: () => Promise<Outcome>) {
    this.#askAgain = askAgain;
    this.#place = { host: plainHost(proxy.hostname), port: portOf(proxy), timeout: LONGEST_LOOK_MS };
  }

  /** Why no more completions are requested, though other requests may be sent; undefined while they are. */
  get inDoubt(): string | undefined {
    if (this.#isBroken) return 'the service fails at what it served before';
    return this.#uncertain < IN_A_ROW ? undefined : `${IN_A_ROW} requests in a row had an uncertain outcome`;
  }

  /** Resolves once it is known whether the target lives: at once unless an outcome put it in doubt. */
  async known(): Promise<void> {
    await this.#looking;
    await this.#asking;
  }

  /**
   * Looks again where an outcome puts the life of the target in doubt. A broken connection alone says little: it looks
   * before no more completions would be requested. `isCounted`: a refusal neither extends nor ends a row of those.
   */
  async note(outcome: Outcome, isCounted: boolean): Promise<void> {
    if (isSomeAnswer(outcome)) [this.#hasAnswered, this.#isDown] = [true, false];
    else if (outcome.kind === 'not-sent' || this.#uncertain + 1 >= IN_A_ROW) await this.#lookGiven(outcome);
    if (!isCounted) return;
    if (outcome.kind === 'uncertain' && !this.#isDown) this.#uncertain += 1;
    if (isFailed(outcome)) this.#failures += 1;
    if (outcome.kind === 'answered' && isSuccess(outcome.answer)) {
      this.#uncertain = this.#deaths = this.#failures = 0;
      this.#isBroken = false;
    }
    if (this.#failures < FAILURES_IN_A_ROW || this.#isBroken) return;
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    await this.#asking;
  }

  /** One failure of what was served may be chance. */
  async #ask(): Promise<void> {
    for (const pause of PAUSES_MS.slice(0, SECOND_LOOKS)) {
      await wait(pause);
      if (isFailed(await this.#askAgain())) continue;
      this.#failures = 0;
      return;
    }
    this.#isBroken = true;
  }

  /** At the end of a run: a process that ends may stop listening a moment after its connections broke. */
  async lookAgain(outcome: Outcome): Promise<void> {
    for (const pause of PAUSES_MS) {
      await wait(pause);
      await this.#lookGiven(outcome);
    }
  }

  async #lookGiven(outcome: Outcome): Promise<void> {
    if (!this.#hasAnswered || this.ended !== undefined) return;
    if (!isFor(outcome, CONNECTION_BROKE, CONNECTION_REFUSED)) return;
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    await this.#looking;
  }

  async #look(): Promise<void> {
    for (const pause of PAUSES_MS) {
      await wait(pause);
      if (await isListening(this.#place)) return;
      if (pause > 0) continue;
      this.#isDown = true;
      this.#uncertain = this.#deaths += 1;
    }
    this.ended = TARGET_DIED;
  }
}

/** Only a connection that is refused says that nothing listens. */
async function isListening(place: NetConnectOpts): Promise<boolean> {
  const socket = connect(place);
  try {
    await Promise.race([once(socket, 'connect'), once(socket, 'timeout')]);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED');
  } finally {
    socket.destroy();
  }
}

function isSomeAnswer(outcome: Outcome): boolean {
  return outcome.kind !== 'not-sent' && outcome.answer !== undefined;
}

/** Whether an outcome has no answer, for a reason that begins with one of these. */
function isFor(outcome: Outcome, ...reasons: readonly string[]): boolean {
  if (outcome.kind === 'answered' || isSomeAnswer(outcome)) return false;
  return reasons.some((reason) => outcome.reason.startsWith(reason));
}

function isFailed(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.answer.status >= 500 && !isUnavailable(outcome.answer);
}

export type Death = NonNullable<ReturnType<typeof deathIn>>;

/** `record`: in the order of the ends. Undefined: the target answered to the end, or something still listened. */
export function deathIn(record: readonly Exchange[]) {
  const served = record.findLastIndex((each) => isChargeable(each.request) && hasSucceeded(each));
  const failed = record
    .slice(served + 1)
    .filter(({ armed, outcome }) => armed === undefined && isFailed(outcome));
  const [first] = failed;
  const looks = failed.filter(isSecondLook);
  if (first === undefined || looks.length < SECOND_LOOKS) return lossIn(record);
  return {
    exchange: first,
    isSuspect: true,
    /** The exchanges whose answers say nothing but that it has ended. */
    failed: new Set(failed.map(({ id }) => id)),
    line: `from ${first.id} on, the service failed at every chat that it did not refuse, even at one that it had served (${failed.length} answers)`,
  };
}

function lossIn(record: readonly Exchange[]) {
  const last = record.findLastIndex(({ outcome }) => isSomeAnswer(outcome));
  const after = record.slice(last + 1);
  const lost = after.filter(({ outcome, armed }) => armed === undefined && isFor(outcome, CONNECTION_BROKE));
  const [exchange = record[last], ...beside] = lost;
  const isGone = after.some(({ outcome }) => isFor(outcome, CONNECTION_REFUSED, TARGET_DIED));
  if (last === -1 || exchange === undefined || !isGone) return undefined;
  const broke = `whose connection broke${isFor(exchange.outcome, WAS_CLOSING) ? ' as it left' : ''}`;
  const what = lost.length === 0 ? 'which it had answered' : broke;
  const others = beside.length === 0 ? '' : `; also in flight: ${beside.map(({ id }) => id).join(', ')}`;
  return {
    /** After it nothing was answered: its connection broke, or it was the last that was answered. */
    exchange,
    /** Whether it or one beside it was taken up and never answered, so that they may have provoked the end. */
    // A service that ends politely answers what it took up, and may close a connection to which a request is on its way.
    isSuspect: lost.some(({ outcome }) => !isFor(outcome, WAS_CLOSING)),
    failed: new Set<string>(),
    /** What happened, in one line. */
    line: `the target stopped answering after ${exchange.id}, ${what}${others}`,
  };
}
