import { ANSWER_KIND, type AnswerWords } from '../../mock-server/answers/answer-schema.ts';
import { digestOf, type SentChat } from '../../mock-server/rules/subject.ts';
import { type Answer, type Exchange, isCutShort } from '../../suites/engine/model/exchange.ts';
import type { TargetInfo } from '../../suites/engine/model/target.ts';
import { isSuccess } from '../../suites/engine/reading/answers.ts';
import type { Usage } from '../../suites/engine/reading/completions/find-usage.ts';
import { dispositionOf, isEventStream } from '../../suites/engine/reading/errors/disposition.ts';
import { isJsonObject, parseJson } from '../../suites/engine/reading/json.ts';
import { readResult } from '../../suites/engine/reading/streams/read-stream.ts';

/** A chat as it was sent, with its keys: what a rule of the mock matches. */
export interface AskedChat {
  readonly model: string;
  readonly request: SentChat & { readonly digest?: string };
}

/** Undefined: it is no chat that a recording could hold, with the five members and no other. */
export function askedChat(body: Uint8Array): AskedChat | undefined {
  const reading = parseJson(body);
  if (reading.kind !== 'json' || !isJsonObject(reading.value)) return undefined;
  const { model, stream: _stream, ...request } = reading.value;
  const { data } = ANSWER_KIND.schema.safeParse({ match: { model, request }, text: 'a' });
  const asked = matchOf(data);
  return asked?.request.digest === undefined ? asked : undefined;
}

/** The chat that a rule answers; undefined: it answers several. */
export function matchOf(words: AnswerWords | undefined): AskedChat | undefined {
  const { model, request } = words?.match ?? {};
  return model === undefined || request === undefined ? undefined : { model, request };
}

/** Equal for chats that are answered alike. */
export function identityOf({ model, request }: AskedChat): string {
  return `${model}\n${request.digest ?? digestOf(request)}`;
}

/** What became of a chat: nothing was paid for, or its answer as a rule of the mock, or why no rule can say it. */
export type RecordedAnswer = 'unpaid' | AnswerWords | { readonly why: string };

/** `asked`: with the keys that the exchange no longer has. */
export function recordedAnswer(
  asked: AskedChat | undefined,
  exchange: Exchange,
  info: TargetInfo,
): RecordedAnswer {
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
