import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { ENDPOINTS, HEADERS } from '../../fixtures/chats/chat.ts';
import { ANSWER_KIND, type AnswerWords } from '../../mock-server/answers/compile-answers.ts';
import { digestOf, type SentChat } from '../../mock-server/rules/subject.ts';
import { startMock } from '../../mock-server/start-mock.ts';
import { readRecording } from '../../mock-server/world/world-file.ts';
import type { RecordedPart } from '../../mock-server/world/world-schema.ts';
import { type Answer, type Exchange, isCutShort } from '../../suites/engine/model/exchange.ts';
import { addressOf } from '../../suites/engine/model/network.ts';
import type { TargetInfo } from '../../suites/engine/model/target.ts';
import { endpointOf, isSuccess } from '../../suites/engine/reading/answers.ts';
import type { Usage } from '../../suites/engine/reading/completions/read-completion.ts';
import { dispositionOf, isEventStream } from '../../suites/engine/reading/errors/disposition.ts';
import { isJsonObject, parseJson } from '../../suites/engine/reading/json.ts';
import { readResult } from '../../suites/engine/reading/streams/read-stream.ts';
import { errorCode } from '../../suites/engine/text/read-json-file.ts';
import { type Destination, destinationAt } from './forwarder.ts';
import type { RelayedExchange } from './passed-exchange.ts';

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
      addLine(this.file, JSON.stringify(part));
    } catch (error) {
      return `cannot write it (${errorCode(error)})`;
    }
    const all = { models: [...models, ...(part.models ?? [])], answers: [...answers, words] };
    this.#world = { ...this.#world, ...all };
    this.#log(`record: answer ${all.answers.length} is in ${this.file}`);
    return undefined;
  }
}

/** Adds a line, after the head where the file is new. A recording may be long: only its last byte is read. */
function addLine(file: string, line: string): void {
  const fd = openSync(file, 'a+', MODE);
  try {
    const { size } = fstatSync(fd);
    const last = Buffer.alloc(1);
    if (size > 0) readSync(fd, last, 0, 1, size - 1);
    // What another write left unfinished stays a line by itself.
    const before = size === 0 ? `${JSON.stringify(HEAD)}\n` : last.toString() === '\n' ? '' : '\n';
    appendFileSync(fd, `${before}${line}\n`);
  } finally {
    closeSync(fd);
  }
}

function modelOf(id: string, { models }: TargetInfo): NonNullable<RecordedPart['models']>[number] {
  const { contextTokens = UNKNOWN_CONTEXT } = models.find((model) => model.id === id) ?? {};
  return { id, contextTokens, price: { input: 1, output: 1 }, vision: true };
}

async function serve(world: RecordedPart) {
  const mock = await startMock({ world });
  const { headers, ...way } = destinationAt(mock.url, {});
  const destination = {
    ...way,
    path: addressOf(mock.url).path + ENDPOINTS.chat,
    headers: [...headers, HEADERS.authorization, `Bearer ${mock.keys['primary']}`],
  };
  return { mock, destination, world };
}

/** A chat as it was sent, with its keys: what a rule of the mock matches. */
interface AskedChat {
  readonly model: string;
  readonly request: SentChat & { readonly digest?: string };
}

/** Undefined: it is no chat that a recording could hold, with the five members and no other. */
function askedChat(body: Uint8Array): AskedChat | undefined {
  const reading = parseJson(body);
  if (reading.kind !== 'json' || !isJsonObject(reading.value)) return undefined;
  const { model, stream: _stream, ...request } = reading.value;
  const { data } = ANSWER_KIND.schema.safeParse({ match: { model, request }, text: 'a' });
  const asked = matchOf(data);
  return asked?.request.digest === undefined ? asked : undefined;
}

/** The chat that a rule answers; undefined: it answers several. */
function matchOf(words: AnswerWords | undefined): AskedChat | undefined {
  const { model, request } = words?.match ?? {};
  return model === undefined || request === undefined ? undefined : { model, request };
}

/** Equal for chats that are answered alike. */
function identityOf({ model, request }: AskedChat): string {
  return `${model}\n${request.digest ?? digestOf(request)}`;
}

/**
 * What became of a chat: nothing was paid for, or its answer as a rule of the mock, or why no rule can say it. `asked`: with
 * the keys that the exchange no longer has.
 */
function recordedAnswer(
  asked: AskedChat | undefined,
  exchange: Exchange,
  info: TargetInfo,
): 'unpaid' | AnswerWords | { readonly why: string } {
  const { outcome, request } = exchange;
  if (outcome.kind === 'not-sent') return 'unpaid';
  if (outcome.kind === 'answered' && ['refused', 'failed'].includes(dispositionOf(exchange, info)))
    return 'unpaid';
  const { answer } = outcome;
  const isLost = outcome.kind === 'uncertain';
  const shown = askedChat(request.body ?? new Uint8Array());
  if (asked === undefined || shown?.model !== asked.model) return { why: 'no rule can say what was asked' };
  // Of a stream that broke off, nobody knows the rest; JSON is whole or none.
  const isReadable = answer !== undefined && isSuccess(answer) && !isCutShort(answer);
  const words =
    isReadable && !(isLost && isEventStream(answer)) ? ruleOf(asked, shown, answer, info) : undefined;
  return words ?? { why: isLost ? outcome.reason : 'no rule can say it' };
}

/**
 * What was said, and is paid for. Without secrets, and unchecked: the mock says what the service said. Undefined: no rule
 * can say it.
 */
function ruleOf(
  asked: AskedChat,
  { request: shown }: AskedChat,
  answer: Answer,
  info: TargetInfo,
): AnswerWords | undefined {
  const {
    texts: [text],
    finishReason,
    usage,
  } = readResult(answer, info);
  const finish = typeof finishReason === 'object' ? finishReason.value : undefined;
  // Without its end, a stream may lack more of its text.
  if (text === undefined || (isEventStream(answer) && finish === undefined)) return undefined;
  const { input, output }: Partial<Usage> = typeof usage === 'object' ? usage : {};
  const tokens = { ...(input && { input: input.value }), ...(output && { output: output.value }) };
  const digest = digestOf(asked.request);
  const request = digestOf(shown) === digest ? shown : { ...shown, digest };
  const words = {
    match: { model: asked.model, request },
    text,
    ...(typeof finish === 'string' && { finish }),
    ...(Object.keys(tokens).length > 0 && { usage: tokens }),
    unchecked: true,
  };
  return ANSWER_KIND.schema.safeParse(words).data;
}
