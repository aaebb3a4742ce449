import { ANSWER_KIND, type AnswerWords } from '../../mock-server/answers/answer-schema.ts';
import { digestOf, type SentChat } from '../../mock-server/rules/subject.ts';
import { type Answer, type Exchange, isCutShort } from '../../suites/engine/model/exchange.ts';
import type { TargetInfo } from '../../suites/engine/model/target.ts';
import { isSuccess } from '../../suites/engine/reading/answers.ts';
import type { UsageReading } from '../../suites/engine/reading/completions/find-usage.ts';
import { readCompletion } from '../../suites/engine/reading/completions/read-completion.ts';
import { dispositionOf, isEventStream } from '../../suites/engine/reading/errors/disposition.ts';
import { isJsonObject, parseJson } from '../../suites/engine/reading/json.ts';
import type { ItemReading } from '../../suites/engine/reading/locate.ts';
import { readStream } from '../../suites/engine/reading/streams/read-stream.ts';

/** A chat as it was sent: what decides its answer, and with its keys. */
export interface AskedChat {
  readonly model: string;
  readonly sent: SentChat;
}

/** Undefined: it is no chat that a recording could hold, with the five members and no other. */
export function askedChat(body: Uint8Array): AskedChat | undefined {
  const reading = parseJson(body);
  if (reading.kind !== 'json' || !isJsonObject(reading.value)) return undefined;
  const { model, stream: _stream, ...request } = reading.value;
  const { data } = ANSWER_KIND.schema.safeParse({ match: { model, request }, text: 'a' });
  const { model: named, request: sent } = data?.match ?? {};
  return named === undefined || sent === undefined || sent.digest !== undefined
    ? undefined
    : { model: named, sent };
}

/** Equal for chats that are answered alike. */
export function identityOf({ model, sent }: AskedChat): string {
  return `${model}\n${digestOf(sent)}`;
}

/** A chat, and its answer as a rule of the mock. */
export interface KeptAnswer {
  readonly asked: AskedChat;
  readonly words: AnswerWords;
}

/** What became of a chat: nothing was paid for, or its answer, or why no rule can say it. */
export type RecordedAnswer = 'unpaid' | KeptAnswer | { readonly why: string };

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
  // Of a stream that broke off, nobody knows the rest; JSON is whole or none.
  const isReadable = answer !== undefined && isSuccess(answer) && !isCutShort(answer);
  const said = isReadable && !(isLost && isEventStream(answer)) ? readAnswer(answer, info) : undefined;
  if (said === undefined) return { why: isLost ? outcome.reason : 'no rule can say it' };
  const shown = askedChat(request.body ?? new Uint8Array());
  if (asked === undefined || shown?.model !== asked.model) return { why: 'no rule can say what was asked' };
  const words = ruleOf(asked, shown.sent, said);
  return words === undefined ? { why: 'no rule can say it' } : { asked, words };
}

/** What was said, for which it was paid. */
type Said = Pick<AnswerWords, 'finish' | 'usage'> & { readonly text: string };

function readAnswer(answer: Answer, info: TargetInfo): Said | undefined {
  if (isEventStream(answer)) {
    const { text, finishReason, usage } = readStream(answer, info);
    const said = text && { text: text.text, ...finishOf(finishReason), ...usageOf(usage) };
    // Without its end, a stream may lack more of its text.
    return said?.finish === undefined ? undefined : said;
  }
  const { choices: [choice] = [], usage } = readCompletion(answer, info) ?? {};
  if (choice?.text === undefined || usage === undefined) return undefined;
  return { text: choice.text, ...finishOf(choice.finishReason), ...usageOf(usage) };
}

function finishOf(reading: ItemReading): Pick<Said, 'finish'> {
  return typeof reading === 'string' || typeof reading.value !== 'string' ? {} : { finish: reading.value };
}

function usageOf(reading: UsageReading): Pick<Said, 'usage'> {
  if (typeof reading === 'string' || (reading.input ?? reading.output) === undefined) return {};
  const { input, output } = reading;
  return { usage: { ...(input && { input: input.value }), ...(output && { output: output.value }) } };
}

/** Without secrets, and unchecked: the mock says what the service said. Undefined: no rule can say it. */
function ruleOf(asked: AskedChat, shown: SentChat, said: Said): AnswerWords | undefined {
  const digest = digestOf(asked.sent);
  const request = digestOf(shown) === digest ? shown : { ...shown, digest };
  const match = { model: asked.model, request };
  return ANSWER_KIND.schema.safeParse({ match, ...said, unchecked: true }).data;
}
