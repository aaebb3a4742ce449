import { setImmediate as nextTurn } from 'node:timers/promises';
import { runEntry, sentEntry, targetInfoEntry } from '../../suites/engine/journal/entries.ts';
import { journalOn } from '../../suites/engine/journal/write-journal.ts';
import type { FinishedEntry, Journal, RunEntry } from '../../suites/engine/model/entry-schema.ts';
import { addressOf, type Network } from '../../suites/engine/model/network.ts';
import type { Summary } from '../../suites/engine/model/summary.ts';
import { bufferedBy } from '../../suites/engine/network/route.ts';
import { Observer } from './observer.ts';
import { bytesOf, KeyRing, passedExchangeOf, type RelayedExchange } from './passed-exchange.ts';
import type { Recording } from './recording.ts';
import { MOST_KEPT } from './relay.ts';

/** New requests wait while exchanges that wait to be recorded take more than this. */
const WAITING_BYTES = 32 * 1024 * 1024;

interface RecorderOptions {
  readonly baseUrl: string;
  /** Through which callers look requests up; absent: no lookup is seen. */
  readonly controlUrl?: string | undefined;
  readonly network?: Network | undefined;
  /** A file that is open for appending, and its name; absent: no journal. */
  readonly journal?: { readonly fd: number; readonly file: string };
  /** Where answers are kept that were paid for. */
  readonly recording?: Recording | undefined;
}

/** Records what passes, without keys, and has it judged. */
export class Recorder {
  readonly #basePath: string;
  readonly #recording: Recording | undefined;
  readonly #journal: Journal | undefined;
  readonly #observer: Observer;
  readonly #keys = new KeyRing();
  readonly #since = performance.now();
  #waitingBytes = 0;
  #queue: Promise<void> = Promise.resolve();
  /** So many exchanges have ended. */
  noted = 0;

  constructor({ baseUrl, controlUrl, network, journal, recording }: RecorderOptions) {
    const run = passingRun(baseUrl, controlUrl, network);
    this.#basePath = addressOf(baseUrl).path;
    this.#recording = recording;
    this.#observer = new Observer(run, bufferedBy(baseUrl, network));
    this.#journal = journal && journalOn(journal.fd, { file: journal.file, isDurable: false });
    this.#journal?.append(run);
    this.#journal?.append(targetInfoEntry(this.#observer.info));
  }

  /** Call it when both directions have ended. Recording waits until other work is done. */
  note(relayed: RelayedExchange): void {
    this.noted += 1;
    const bytes = bytesOf(Math.min(relayed.body.size, MOST_KEPT), relayed);
    this.#waitingBytes += bytes;
    this.#queue = this.#recordAfter(this.#queue, relayed).finally(() => (this.#waitingBytes -= bytes));
  }

  /** Resolves once a new request may pass: what waits to be recorded takes memory. */
  async ready(): Promise<void> {
    while (this.#waitingBytes > WAITING_BYTES) await this.#queue;
  }

  async summary(): Promise<Summary> {
    await this.#queue;
    return this.#observer.summary(this.#soFar());
  }

  async end(): Promise<Summary> {
    await this.#queue;
    const finished = this.#soFar();
    this.#journal?.append(finished);
    return this.#observer.summary(finished);
  }

  async #recordAfter(others: Promise<void>, relayed: RelayedExchange): Promise<void> {
    await others;
    await nextTurn();
    const { info } = this.#observer;
    const passed = await passedExchangeOf(relayed, { basePath: this.#basePath, keys: this.#keys, info });
    const { exchange, facts } = passed;
    this.#journal?.append({ ...sentEntry(exchange.id, exchange.request), at: relayed.at });
    this.#journal?.append({ type: 'ended', id: exchange.id, outcome: exchange.outcome, passed: facts });
    await this.#observer.note(passed);
    this.#recording?.note(relayed, exchange, this.#observer.info);
  }

  #soFar(): FinishedEntry {
    const { file, lost } = this.#recording ?? { file: '', lost: 0 };
    const lines = [
      this.#journal?.failure(),
      lost > 0 && `answers that may have been paid for, but are not in ${file}: ${lost}`,
    ];
    return {
      type: 'finished',
      durationMs: Math.round(performance.now() - this.#since),
      cutShort: lines.filter((line) => typeof line === 'string'),
    };
  }
}

/** The first entry of the journal of what passes: nothing was sent. */
function passingRun(baseUrl: string, controlUrl: string | undefined, network: Network | undefined): RunEntry {
  const passing = { keys: { primary: '' }, profile: {}, headers: {}, passing: true } as const;
  const target = { ...passing, kind: 'live', baseUrl, ...(network && { network }) } as const;
  const none = { seed: 0, runs: 'few', concurrency: 0, timeoutMs: 0, checks: [], invariants: [] } as const;
  const caps = { requests: Infinity, completions: Infinity, outputTokens: Infinity };
  const control = controlUrl === undefined ? {} : { control: { url: controlUrl } };
  return runEntry({ ...none, ...control, caps, allow: new Set(), target }, new Date().toISOString());
}
