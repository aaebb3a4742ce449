import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { ENDPOINTS, HEADERS } from '../../fixtures/chats/chat.ts';
import type { AnswerWords } from '../../mock-server/answers/answer-schema.ts';
import { startMock } from '../../mock-server/start-mock.ts';
import { readRecording } from '../../mock-server/world/world-file.ts';
import type { RecordedPart } from '../../mock-server/world/world-schema.ts';
import type { Exchange } from '../../suites/engine/model/exchange.ts';
import { addressOf } from '../../suites/engine/model/network.ts';
import type { TargetInfo } from '../../suites/engine/model/target.ts';
import { endpointOf } from '../../suites/engine/reading/answers.ts';
import { errorCode } from '../../suites/engine/text/read-json-file.ts';
import { type Destination, destinationAt } from './forwarder.ts';
import { askedChat, identityOf, matchOf, recordedAnswer } from './recorded-answer.ts';
import type { RelayedExchange } from './relay.ts';

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
 * added, so that neither a second recorder, nor an editor, nor a kill loses what is in it. A mock gives them again.
 */
export class Recording {
  readonly file: string;
  readonly #log: (line: string) => void;
  readonly #known: Set<string>;
  /** All that was read and added. */
  #world: RecordedPart;
  /** What answers in place of the service, with the world that it had last. */
  #serving: ReturnType<typeof serve> | undefined;
  /** Answers that may have been paid for, and are not in the file. */
  lost = 0;
  /** How many chats it has answered. */
  repeated = 0;

  constructor(file: string, world: RecordedPart, log: (line: string) => void) {
    this.file = file;
    this.#world = world;
    this.#log = log;
    const asked = (world.answers ?? []).flatMap((words) => matchOf(words) ?? []);
    this.#known = new Set(asked.map(identityOf));
  }

  /**
   * Goes on with a file, or begins one; `log` hears what becomes of each answer.
   * @throws {JsonFileError} Given a file that is no recording.
   */
  static async open(file: string, log: (line: string) => void): Promise<Recording> {
    return new Recording(file, existsSync(file) ? await readRecording(file, log) : HEAD, log);
  }

  /** What answers the chat with this body; undefined: it is not recorded. */
  async destinationOf(body: Uint8Array): Promise<Destination | undefined> {
    const asked = askedChat(body);
    if (asked === undefined || !this.#known.has(identityOf(asked))) return undefined;
    this.#serving ??= serve(this.#world);
    const serving = await this.#serving;
    if (serving.world !== this.#world) await serving.mock.changeWorld(this.#world);
    serving.world = this.#world;
    this.repeated += 1;
    return serving.destination;
  }

  /** Ends what answers. */
  async close(): Promise<void> {
    const serving = await this.#serving;
    await serving?.destination.connections.close();
    await serving?.mock.close();
  }

  /** Keeps the answer of a chat that was paid for. `exchange`: the same as `relayed`, without keys. */
  note({ n, body }: RelayedExchange, exchange: Exchange, info: TargetInfo): void {
    if (endpointOf(exchange.request) !== 'chat') return;
    const asked = askedChat(body.read().body);
    const identity = asked && identityOf(asked);
    if (identity !== undefined && this.#known.has(identity)) return;
    const recorded = recordedAnswer(asked, exchange, info);
    if (recorded === 'unpaid') return;
    const why = 'why' in recorded ? recorded.why : this.#keep(recorded, info);
    if (why === undefined) return void this.#known.add(identity ?? '');
    this.lost += 1;
    const key = exchange.request.headers[HEADERS.idempotencyKey];
    const name = key === undefined ? `request ${n}, which has no Idempotency-Key` : `Idempotency-Key ${key}`;
    this.#log(`record: the answer to ${name} is not in ${this.file}: ${why}`);
  }

  /** Returns why the answer cannot be kept. */
  #keep(words: AnswerWords, info: TargetInfo): string | undefined {
    const { models = [], answers = [] } = this.#world;
    const { model = '' } = words.match ?? {};
    const isNew = models.every(({ id }) => id !== model);
    const part = { ...(isNew && { models: [modelOf(model, info)] }), answers: [words] };
    try {
      this.#write(part);
    } catch (error) {
      return `cannot write it (${errorCode(error)})`;
    }
    const all = { models: [...models, ...(part.models ?? [])], answers: [...answers, words] };
    this.#world = { ...this.#world, ...all };
    this.#log(`record: answer ${all.answers.length} is in ${this.file}`);
    return undefined;
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

async function serve(world: RecordedPart) {
  const mock = await startMock({ world });
  const { connections, headers } = destinationAt(mock.url, {});
  const destination = {
    connections,
    path: addressOf(mock.url).path + ENDPOINTS.chat,
    headers: [...headers, HEADERS.authorization, `Bearer ${mock.keys['primary']}`],
  };
  return { mock, destination, world };
}
