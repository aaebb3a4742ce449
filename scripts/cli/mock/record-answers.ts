import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { AnswerRule } from '../../../mock-server/answers/answer-rule.ts';
import { answerSchema, type AnswerWords } from '../../../mock-server/answers/answer-schema.ts';
import { compileAnswers } from '../../../mock-server/answers/compile-answers.ts';
import type { Question } from '../../../mock-server/answers/question.ts';
import type { UnreadAnswer, Upstream } from '../../../mock-server/answers/upstream.ts';
import type { MockOptions } from '../../../mock-server/start-mock.ts';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import { completeWorld } from '../../../mock-server/world/complete-world.ts';
import { readJsonFile } from '../../../mock-server/world/world-file.ts';
import { type WorldFile, worldFileSchema } from '../../../mock-server/world/world-schema.ts';
import type { World } from '../../../mock-server/world/world.ts';
import { type Redactor, redactorOf } from '../../../suites/kit/redacting/redact.ts';
import { prepareFile } from '../terminal/write-file.ts';
import {
  askService,
  listedModels,
  type PaidAnswer,
  type RecordedService,
  type SaidAnswer,
} from './recorded-service.ts';
import { RecordingFile } from './recording-file.ts';

/** More than any model has: what is too large is for the recorded service to say. */
const UNKNOWN_CONTEXT = 1_000_000;

interface Recording extends RecordedService {
  /** What callers of the mock send; undefined: it is drawn. */
  readonly key: string | undefined;
  /** The file: a world, with what was recorded as its chosen answers. */
  readonly file: string;
  readonly log: (line: string) => void;
}

/** What a mock that records serves, and which paid answers are in no file at its end. */
export interface RecordedAnswers extends Required<Pick<MockOptions, 'world' | 'upstream'>> {
  /** Tries once more to write them, and gives their number. */
  readonly unkept: () => number;
}

/**
 * A mock that has another service answer what its file has no answer for, and adds each answer to the file. The same
 * chat is asked once. Throws a UsageError, or a JsonFileError for a file that is no world.
 */
export async function recordAnswers(recording: Recording): Promise<RecordedAnswers> {
  const { file, key } = recording;
  prepareFile(file);
  const recorded = existsSync(file) ? await readJsonFile(file, worldFileSchema, recording.log) : undefined;
  recording.log(
    `record: asks ${recording.baseUrl}, with the key in CHAT_API_KEY, for what is not recorded yet`,
  );
  const begun = recorded ?? (await newFile(recording));
  const world = completeWorld(begun);
  const recorder = new Recorder(recording, begun, world);
  const upstream: Upstream = { key: recording.apiKey, answer: (question) => recorder.answer(question) };
  return { world: withOwnKeys(world, key), upstream, unkept: () => recorder.unkept() };
}

/** Everybody knows the keys of the built-in world, and what pays is for the user alone. `first`: that of the first key. */
function withOwnKeys(world: World, first: string | undefined): World {
  const known = new Set(builtInWorld.keys.map(({ key }) => key));
  const own = (index: number): string =>
    (index === 0 ? first : undefined) ?? `mock-${randomBytes(20).toString('hex')}`;
  const keys = world.keys.map((each, index) => (known.has(each.key) ? { ...each, key: own(index) } : each));
  return { ...world, keys };
}

/** A world with the models of the service, which refuses what is not recorded. */
async function newFile(service: RecordedService): Promise<WorldFile> {
  const listed = await listedModels(service);
  const { text } = redactorOf({ keys: { primary: service.apiKey }, headers: {} });
  // A model whose ID holds the key could be shown nowhere.
  const shown = listed.filter(({ id }) => text(id) === id);
  const models = shown.map(({ id, contextTokens = UNKNOWN_CONTEXT }) => ({
    id,
    contextTokens,
    price: { input: 1, output: 1 },
    vision: true,
  }));
  const request = { maxTokensDefault: UNKNOWN_CONTEXT };
  return { models, choices: { request }, unanswered: 'refuse', answers: [] };
}

/** Asks for each chat once, and keeps what was paid: in the file, or else in memory. */
class Recorder {
  readonly #recording: Recording;
  readonly #names: World;
  readonly #file: RecordingFile;
  readonly #redactor: Redactor;
  readonly #asked = new Map<string, ReturnType<Upstream['answer']>>();
  /** Paid answers that no rule can say. */
  #unread = 0;

  constructor(recording: Recording, begun: WorldFile, names: World) {
    this.#recording = recording;
    this.#names = names;
    this.#file = new RecordingFile(recording.file, begun);
    this.#redactor = redactorOf({ keys: { primary: recording.apiKey }, headers: {} });
  }

  answer(question: Question): ReturnType<Upstream['answer']> {
    const id = `${question.model}\n${question.digest()}`;
    const known = this.#asked.get(id) ?? this.#record(question);
    this.#asked.set(id, known);
    // What failed may be asked again by the caller.
    known.catch(() => this.#asked.delete(id));
    return known;
  }

  unkept(): number {
    this.#file.keep();
    return this.#unread + this.#file.unkept;
  }

  async #record(question: Question): ReturnType<Upstream['answer']> {
    const paid = await askService(this.#recording, question.model, question.sent, this.#recording.log);
    const rule = this.#ruleOf(question, paid);
    if (rule === undefined) return this.#passedOn(paid);
    this.#keep(rule.words, paid);
    return rule;
  }

  #ruleOf(question: Question, { said }: PaidAnswer): AnswerRule | undefined {
    const words = said && ruleOf(question, said, { redacted: this.#redactor.value, world: this.#names });
    return words && compileAnswers([words], this.#names)[0];
  }

  #keep(words: AnswerWords, { idempotencyKey }: PaidAnswer): void {
    const { file, log } = this.#recording;
    const problem = this.#file.add(words);
    if (problem === undefined) log(`record: answer ${this.#file.count} is in ${file}`);
    else
      log(
        `record: cannot write ${file} (${problem}): the answer to Idempotency-Key ${idempotencyKey} is in memory only`,
      );
  }

  #passedOn({ contentType, body, idempotencyKey }: PaidAnswer): UnreadAnswer {
    this.#unread += 1;
    this.#recording.log(
      `record: no rule can say the answer to Idempotency-Key ${idempotencyKey}: it is passed on, and in memory only`,
    );
    return { contentType, body: this.#redactor.text(body) };
  }
}

interface Around {
  readonly redacted: <Value>(value: Value) => Value;
  readonly world: World;
}

/**
 * The rule of a recorded answer, without secrets; unchecked where the service did not keep the specification. Undefined:
 * no rule can say it.
 */
function ruleOf(
  { model, sent, digest }: Question,
  said: SaidAnswer,
  { redacted, world }: Around,
): AnswerWords | undefined {
  const { messages, temperature, max_tokens: maxTokens } = sent;
  const request = {
    messages,
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
  };
  const clean = redacted(request);
  const isChanged = JSON.stringify(clean) !== JSON.stringify(request);
  const words = {
    match: { model, request: isChanged ? { ...clean, digest: digest() } : clean },
    ...redacted(said),
  };
  const context = world.models.find(({ id }) => id === model)?.contextTokens ?? UNKNOWN_CONTEXT;
  const checked = answerSchema.safeParse(words);
  if (checked.success && fits(said, maxTokens, context)) return checked.data;
  return answerSchema.safeParse({ ...words, unchecked: true }).data;
}

/** Whether the usage keeps the limits of the request (REQ-9) and of the model (LIM-1). */
function fits(
  { usage: { input = 0, output = 1 } = {} }: SaidAnswer,
  maxTokens: number | undefined,
  context: number,
): boolean {
  return output <= (maxTokens ?? Infinity) && input + (maxTokens ?? output) <= context;
}
