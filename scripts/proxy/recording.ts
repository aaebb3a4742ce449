import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { HEADERS } from '../../fixtures/chats/wire.ts';
import { digestOf } from '../../mock-server/rules/subject.ts';
import type { RecordedPart } from '../../mock-server/world/world-schema.ts';
import type { Exchange } from '../../suites/engine/model/exchange.ts';
import type { TargetInfo } from '../../suites/engine/model/target.ts';
import { endpointOf } from '../../suites/engine/reading/answers.ts';
import { errorCode } from '../../suites/engine/text/read-json-file.ts';
import { askedChat, identityOf, type KeptAnswer, recordedAnswer } from './recorded-answer.ts';
import type { RelayedExchange, RelayedRequest } from './relay.ts';

/** Its owner alone reads what was asked. */
const MODE = 0o600;

/** In tokens, and more than any model has: what is too large is for the service to say. */
const UNKNOWN_CONTEXT = 1_000_000;

/** What a recording says before its answers: it refuses what it lacks, and limits nothing. */
const HEAD: RecordedPart = {
  unanswered: 'refuse',
  choices: { request: { maxTokensDefault: UNKNOWN_CONTEXT } },
};

/**
 * The answers of a service that were paid for, in a world for `mock --world`: a file of parts, one a line. Lines are only
 * added, so that neither a second recorder, nor an editor, nor a kill loses what is in it.
 */
export class Recording {
  readonly file: string;
  readonly #log: (line: string) => void;
  readonly #known: Set<string>;
  /** All that was read and added. */
  world: RecordedPart;
  /** Answers that may have been paid for, and are not in the file. */
  lost = 0;

  /** `world`: what the file holds already; `log` hears what becomes of each answer. */
  constructor(file: string, world: RecordedPart = HEAD, log: (line: string) => void = () => {}) {
    this.file = file;
    this.world = world;
    this.#log = log;
    this.#known = new Set(
      (world.answers ?? []).flatMap(({ match: { model = '', request } = {} }) =>
        request === undefined ? [] : [`${model}\n${request.digest ?? digestOf(request)}`],
      ),
    );
  }

  /** Whether it has the answer to the chat with this body. */
  has(body: Uint8Array): boolean {
    const asked = askedChat(body);
    return asked !== undefined && this.#known.has(identityOf(asked));
  }

  /** Keeps the answer of a chat that was paid for. `exchange`: the same as `relayed`, without keys. */
  note(relayed: RelayedExchange, exchange: Exchange, info: TargetInfo): void {
    if (endpointOf(exchange.request) !== 'chat') return;
    const asked = askedChat(relayed.body.read().body);
    if (asked !== undefined && this.#known.has(identityOf(asked))) return;
    const recorded = recordedAnswer(asked, exchange, info);
    if (recorded === 'unpaid') return;
    const why = 'why' in recorded ? recorded.why : this.#keep(recorded, info);
    if (why !== undefined) this.lose(relayed, exchange.request, why);
  }

  /** Returns why the answer cannot be kept. */
  #keep({ asked, words }: KeptAnswer, info: TargetInfo): string | undefined {
    const { models = [], answers = [] } = this.world;
    const isNew = models.every(({ id }) => id !== asked.model);
    const part = { ...(isNew && { models: [modelOf(asked.model, info)] }), answers: [words] };
    try {
      this.#write(part);
    } catch (error) {
      return `cannot write it (${errorCode(error)})`;
    }
    this.#known.add(identityOf(asked));
    const all = { models: [...models, ...(part.models ?? [])], answers: [...answers, words] };
    this.world = { ...this.world, ...all };
    this.#log(`record: answer ${all.answers.length} is in ${this.file}`);
    return undefined;
  }

  /** Says that an answer that may have been paid for is not kept. `request`: without keys. */
  lose({ n }: RelayedRequest, { headers }: Exchange['request'], why: string): void {
    this.lost += 1;
    const key = headers[HEADERS.idempotencyKey];
    const name = key === undefined ? `request ${n}, which has no Idempotency-Key` : `Idempotency-Key ${key}`;
    this.#log(`record: the answer to ${name} is not in ${this.file}: ${why}`);
  }

  #write(part: RecordedPart): void {
    const fd = openSync(this.file, 'a+', MODE);
    try {
      const { size } = fstatSync(fd);
      const last = Buffer.alloc(1);
      if (size > 0) readSync(fd, last, 0, 1, size - 1);
      // What another write left unfinished stays a line by itself.
      const before = size === 0 ? `${JSON.stringify(HEAD)}\n` : last.toString() === '\n' ? '' : '\n';
      appendFileSync(fd, `${before}${JSON.stringify(part)}\n`);
    } finally {
      closeSync(fd);
    }
  }
}

function modelOf(id: string, { models }: TargetInfo): NonNullable<RecordedPart['models']>[number] {
  const { contextTokens = UNKNOWN_CONTEXT } = models.find((model) => model.id === id) ?? {};
  return { id, contextTokens, price: { input: 1, output: 1 }, vision: true };
}
