import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { HEADERS } from '../../fixtures/chats/chat.ts';
import { ANSWER_KIND, type AnswerWords } from '../../mock-server/answers/compile-answers.ts';
import { digestOf } from '../../mock-server/rules/subject.ts';
import { type RecordedPart, recordedPartSchema } from '../../mock-server/world/world-schema.ts';
import { type Answer, type Exchange, isCutShort } from '../../suites/engine/model/exchange.ts';
import type { TargetInfo } from '../../suites/engine/model/target.ts';
import { endpointOf, isSuccess } from '../../suites/engine/reading/answers.ts';
import { countsIn } from '../../suites/engine/reading/completions/read-completion.ts';
import { dispositionOf, isEventStream } from '../../suites/engine/reading/errors/disposition.ts';
import { isJsonObject, jsonIn } from '../../suites/engine/reading/json.ts';
import { readResult } from '../../suites/engine/reading/streams/read-stream.ts';
import { errorCode, FileError } from '../../suites/engine/text/read-json-file.ts';
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
 * added, so that neither a second recorder, nor an editor, nor a kill loses what is in it.
 */
export class Recording {
  readonly file: string;
  readonly #log: (line: string) => void;
  /** Answers that may have been paid for, and are not in the file. */
  lost = 0;

  /**
   * Goes on with a file, or begins one; `log` hears of each answer that is lost.
   * @throws {FileError} Given a file that has no parts in lines.
   */
  constructor(file: string, log: (line: string) => void) {
    const [first = ''] = sizeOf(file) === 0 ? [] : readFileSync(file, 'utf8').split('\n', 1);
    if (first !== '' && !recordedPartSchema.safeParse(jsonIn(first)).success)
      throw new FileError(
        `${file} is not a recording (one JSON object per line, with lists of models); jq -c . FILE > NEW.ndjson converts a world`,
      );
    this.file = file;
    this.#log = log;
  }

  /** Keeps the answer of a chat that was paid for. `exchange`: the same as `relayed`, without keys. */
  note({ n, body }: RelayedExchange, exchange: Exchange, info: TargetInfo): void {
    if (endpointOf(exchange.request) !== 'chat' || isUnpaid(exchange, info)) return;
    const why = this.#keep(ruleOf(body.read().body, exchange, info), info);
    if (why === undefined) return;
    this.lost += 1;
    const key = exchange.request.headers[HEADERS.idempotencyKey];
    const name = key === undefined ? `request ${n}, which has no Idempotency-Key` : `Idempotency-Key ${key}`;
    this.#log(`record: the answer to ${name} is not in ${this.file}: ${why}`);
  }

  /** Returns why the answer cannot be kept. */
  #keep(rule: AnswerWords | string, { models }: TargetInfo): string | undefined {
    if (typeof rule === 'string') return rule;
    const { model: id = '' } = rule.match ?? {};
    const { contextTokens = UNKNOWN_CONTEXT } = models.find((model) => model.id === id) ?? {};
    const model = { id, contextTokens, price: { input: 1, output: 1 }, vision: true };
    const part: RecordedPart = { models: [model], answers: [rule] };
    try {
      // The newline comes first: what another write left unfinished stays a line by itself.
      const head = sizeOf(this.file) === 0 ? JSON.stringify(HEAD) : '';
      appendFileSync(this.file, `${head}\n${JSON.stringify(part)}`, { mode: MODE });
    } catch (error) {
      return `cannot write it (${errorCode(error)})`;
    }
    return undefined;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function isUnpaid(exchange: Exchange, info: TargetInfo): boolean {
  const { outcome } = exchange;
  if (outcome.kind !== 'answered') return outcome.kind === 'not-sent';
  return ['refused', 'failed'].includes(dispositionOf(exchange, info));
}

const NO_RULE = 'no rule can express it';

/**
 * The answer of a chat as a rule of the mock, or why there is none. `sent`: the chat with the keys that the exchange no
 * longer has.
 */
function ruleOf(
  sent: Uint8Array,
  { request: { body = new Uint8Array() }, outcome }: Exchange,
  info: TargetInfo,
): AnswerWords | string {
  if (outcome.kind !== 'answered') return outcome.reason;
  const answer = { ...said(outcome.answer, info), unchecked: true };
  const [asked, shown] = [sent, body].map(
    (chat) => ANSWER_KIND.schema.safeParse({ match: matchOf(chat), ...answer }).data,
  );
  const [from, to] = [asked?.match?.request, shown?.match?.request];
  if (shown?.text === undefined || from === undefined || to === undefined) return NO_RULE;
  if (asked?.match?.model !== shown.match?.model) return NO_RULE;
  const digest = digestOf(from);
  if (digest === digestOf(to)) return shown;
  return { ...shown, match: { ...shown.match, request: { ...to, digest } } };
}

/** A chat as a rule matches it, which has the five members and no other: those that decide its answer. */
function matchOf(chat: Uint8Array): unknown {
  const sent = jsonIn(chat);
  if (!isJsonObject(sent)) return undefined;
  const { model, stream: _stream, ...request } = sent;
  return { model, request };
}

/** Without secrets, and unchecked: the mock says what the service said. Nothing where a part of it may be missing. */
function said(answer: Answer, info: TargetInfo): Partial<AnswerWords> {
  const { texts, finishReason, usage } = readResult(answer, info);
  const [text] = texts;
  const finish = typeof finishReason === 'object' ? finishReason.value : undefined;
  // Without its end, a stream may lack more of its text.
  const isWhole =
    isSuccess(answer) && !isCutShort(answer) && !(isEventStream(answer) && finish === undefined);
  if (text === undefined || !isWhole) return {};
  const { input, output } = countsIn(usage);
  const tokens = { ...(input && { input: input.value }), ...(output && { output: output.value }) };
  return {
    text,
    ...(typeof finish === 'string' && { finish }),
    ...(Object.keys(tokens).length > 0 && { usage: tokens }),
  };
}
