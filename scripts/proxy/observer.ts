import { setImmediate as nextTurn } from 'node:timers/promises';
import { HEADERS } from '../../fixtures/chats/wire.ts';
import type { Timeline, TimelineRequest } from '../../suites/caller/observed/timeline.ts';
import { endedEntry, invariantEntry, sentEntry, targetInfoEntry } from '../../suites/kit/journal/entries.ts';
import type { Exchange } from '../../suites/kit/model/exchange.ts';
import { addressOf } from '../../suites/kit/model/network.ts';
import type { CheckResult, Summary } from '../../suites/kit/model/summary.ts';
import type { TargetInfo } from '../../suites/kit/model/target.ts';
import { headerIn } from './hop-by-hop.ts';
import { KeyRing } from './key-ring.ts';
import { exchangeOf } from './passed-exchange.ts';
import { timelineRequestOf } from './passed-request.ts';
import type { ProxyJournal } from './proxy-journal.ts';
import { isAccepted, isCompletion, judgedService, passedSummary } from './proxy-summary.ts';
import type { Recording } from './recording.ts';
import type { RelayedExchange } from './relayed-exchange.ts';
import { SeenModels } from './seen-models.ts';

/** The timeout of the tested configuration (CALL-6). */
const STATED_TIMEOUT_MS = 120_000;

/** So many of the latest exchanges are held; what was found in earlier ones is kept. */
const MOST_HELD = 1000;
const DROPPED_AT_ONCE = 500;

/** The bytes that their requests and answers take. */
const MOST_HELD_BYTES = 64 * 1024 * 1024;

const UNRECORDED = 'too much at once, too many keys, or too long a key';

/** What judgements of callers read of an answer. */
const ANSWER_LENGTH = 4000;

interface Seen {
  readonly exchange: Exchange;
  readonly request: TimelineRequest;
  /** The name of the key that it carried. */
  readonly key: string | undefined;
  readonly bytes: number;
}

export interface ObserverOptions {
  readonly baseUrl: string;
  readonly ring: KeyRing;
  readonly journal?: ProxyJournal | undefined;
  readonly bufferedBy?: string | undefined;
  /** Where answers are kept that were paid for. */
  readonly recording?: Recording | undefined;
  /** For tests. */
  readonly mostHeld?: number;
}

/** Records what passes, without keys, and judges both sides. */
export class Observer {
  readonly #options: ObserverOptions;
  readonly #basePath: string;
  readonly #startedAt = new Date();
  readonly #since = performance.now();
  readonly #models: SeenModels;
  readonly #counts = { requests: 0, completions: 0 };
  #seen: Seen[] = [];
  #bytes = 0;
  #hasAccepted = false;
  #before: readonly CheckResult[] | undefined;
  #dropped = 0;
  #unrecorded = 0;
  #repeats = 0;
  #recorded: Promise<void> = Promise.resolve();

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.#basePath = addressOf(options.baseUrl).path;
    this.#models = new SeenModels(options.bufferedBy);
  }

  get info(): TargetInfo {
    return this.#models.info;
  }

  /** Call it when both directions have ended. Recording waits until other work is done. */
  note(relayed: RelayedExchange): void {
    if (relayed.isRepeat) {
      this.#repeats += 1;
      release(relayed);
      return;
    }
    this.#counts.requests += 1;
    this.#recorded = this.#recordAfter(this.#recorded, relayed);
  }

  /** Resolves once everything is recorded that has ended by now. */
  recorded(): Promise<void> {
    return this.#recorded;
  }

  async summary(): Promise<Summary> {
    await this.#recorded;
    return this.#judged();
  }

  /** Ends the journal; `summary` is the last one. */
  async finish({ durationMs }: Summary): Promise<void> {
    await this.#endJournal(durationMs);
  }

  /** What its exchanges show is found in them again. */
  async #endJournal(durationMs: number): Promise<void> {
    const { journal, ring } = this.#options;
    journal?.append(targetInfoEntry(this.info));
    const shown = { exchanges: this.#exchanges(), info: this.info, redactor: ring.redactor };
    for (const [{ id }, rulings] of await judgedService(shown)) journal?.append(invariantEntry(id, rulings));
    journal?.append({ type: 'finished', durationMs, cutShort: this.#cutShort() });
  }

  #exchanges(): readonly Exchange[] {
    return this.#seen.map(({ exchange }) => exchange);
  }

  async #recordAfter(others: Promise<void>, relayed: RelayedExchange): Promise<void> {
    await others;
    await nextTurn();
    await this.#record(relayed);
  }

  async #record(relayed: RelayedExchange): Promise<void> {
    try {
      const isWhole = !relayed.body.isLost && relayed.answer?.body.isLost !== true;
      if (isWhole && this.#options.ring.learn(relayed.rawHeaders)) await this.#keep(relayed);
      else this.#letPass(relayed);
    } finally {
      release(relayed);
    }
  }

  /** Unrecorded, and unjudged. */
  #letPass({ method, rawHeaders, n, answer }: RelayedExchange): void {
    this.#unrecorded += 1;
    const status = answer?.status ?? 200;
    const key = headerIn(rawHeaders, HEADERS.idempotencyKey);
    const name = key === undefined ? `request ${n}` : `Idempotency-Key ${key}`;
    if (method === 'POST' && (status < 400 || status >= 500)) this.#options.recording?.lost(name, UNRECORDED);
  }

  async #keep(relayed: RelayedExchange): Promise<void> {
    const { ring, journal, recording, mostHeld = MOST_HELD } = this.#options;
    const exchange = await exchangeOf(relayed, this.#basePath, ring);
    journal?.append({ ...sentEntry(exchange.id, exchange.request), at: relayed.at });
    journal?.append(endedEntry(exchange));
    if (isCompletion(exchange)) this.#counts.completions += 1;
    this.#hasAccepted ||= isCompletion(exchange) && isAccepted(exchange);
    this.#models.note(exchange);
    recording?.note(relayed, exchange, this.info);
    const place = { info: this.info, startedAt: this.#since };
    const request = timelineRequestOf(relayed, exchange, ring, place);
    const shown = { ...request, answer: request.answer.slice(0, ANSWER_LENGTH) };
    const bytes = 2 * request.body.length + shown.answer.length + answerLength(exchange);
    this.#seen.push({ exchange, request: shown, key: ring.nameOf(relayed.rawHeaders), bytes });
    this.#bytes += bytes;
    if (journal?.isFull() === true) {
      await this.#endJournal(Date.now() - this.#startedAt.getTime());
      // The next one says what its own exchanges show.
      await this.#drop(this.#seen.length);
      journal.renew();
    } else if (this.#seen.length > mostHeld || this.#bytes > MOST_HELD_BYTES)
      await this.#drop(Math.min(DROPPED_AT_ONCE, Math.ceil(this.#seen.length / 2)));
  }

  /** What was found in them is kept. */
  async #drop(count: number): Promise<void> {
    this.#before = (await this.#judged()).checks;
    this.#seen = this.#seen.slice(count);
    this.#bytes = this.#seen.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#dropped += count;
  }

  #judged(): Promise<Summary> {
    return passedSummary({
      baseUrl: this.#options.baseUrl,
      startedAt: this.#startedAt,
      exchanges: this.#exchanges(),
      timelines: this.#timelines(),
      info: this.info,
      redactor: this.#options.ring.redactor,
      before: this.#before,
      counts: { ...this.#counts },
      hasAccepted: this.#hasAccepted,
      cutShort: this.#cutShort(),
      warnings: this.#warnings(),
    });
  }

  /** Whoever has the same key is one caller. */
  #timelines(): readonly Timeline[] {
    const byKey = Map.groupBy(this.#seen, ({ key }) => key);
    return [...byKey.values()].map((seen) => ({
      scenario: 'watched',
      requests: seen
        .map(({ request }) => request)
        .toSorted((one, other) => one.arrivedAt - other.arrivedAt)
        .map((request, index) => ({ ...request, n: index + 1 })),
      lookups: [],
      items: [],
      atOnce: undefined,
      records: undefined,
      timeoutMs: STATED_TIMEOUT_MS,
      // The model IDs may be known from documentation.
      secretModels: false,
      end: { kind: 'watched' },
    }));
  }

  #cutShort(): readonly string[] {
    const { journal, recording } = this.#options;
    const failure = journal?.failure();
    const unkept = recording?.unkept() ?? 0;
    const passed = this.#unrecorded;
    return [
      failure ?? [],
      passed === 0 ? [] : `${passed} of ${this.#counts.requests} requests passed unrecorded: ${UNRECORDED}`,
      unkept === 0 ? [] : `answers that may have been paid for, but are not in ${recording?.file}: ${unkept}`,
    ].flat();
  }

  #warnings(): readonly string[] {
    const [dropped, repeats] = [this.#dropped, this.#repeats];
    return [
      dropped === 0
        ? []
        : `the first ${dropped} requests are no longer held: what was found in them is kept, but what they and later ones show only together is not`,
      repeats === 0
        ? []
        : `chats that ${this.#options.recording?.file} answered, which are not judged: ${repeats}`,
    ].flat();
  }
}

function answerLength({ outcome }: Exchange): number {
  return outcome.kind === 'not-sent' ? 0 : (outcome.answer?.body.length ?? 0);
}

/** It is recorded, or never will be. */
function release({ body, answer }: RelayedExchange): void {
  body.release();
  answer?.body.release();
}
