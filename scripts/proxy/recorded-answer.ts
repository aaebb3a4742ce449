import { HEADERS } from '../../fixtures/chats/wire.ts';
import { answerSchema, type AnswerWords } from '../../mock-server/answers/answer-schema.ts';
import { digestOf, type SentChat } from '../../mock-server/answers/question.ts';
import { type Answer, type Exchange, isCutShort } from '../../suites/kit/model/exchange.ts';
import type { TargetInfo } from '../../suites/kit/model/target.ts';
import { isSuccess } from '../../suites/kit/reading/answers.ts';
import type { UsageReading } from '../../suites/kit/reading/completions/find-usage.ts';
import { readCompletion } from '../../suites/kit/reading/completions/read-completion.ts';
import { dispositionOf, isEventStream } from '../../suites/kit/reading/errors/disposition.ts';
import { isJsonObject } from '../../suites/kit/reading/json.ts';
import type { ItemReading } from '../../suites/kit/reading/locate.ts';
import { readStream } from '../../suites/kit/reading/streams/read-stream.ts';
import type { RelayedExchange } from './relayed-exchange.ts';

/** More than any model has: what is too large is for the service to say. */
export const UNKNOWN_CONTEXT = 1_000_000;

/** A chat as it was sent: what decides its answer, and with its keys. */
export interface AskedChat {
  readonly model: string;
  readonly sent: SentChat;
}

/** Undefined: it is no chat that a recording could hold, with the five members and no other. */
export function askedChat(body: Uint8Array): AskedChat | undefined {
  const value = parsed(body);
  if (!isJsonObject(value)) return undefined;
  const { model, messages, temperature, max_tokens: maxTokens, stream: _stream, ...others } = value;
  const sent = { messages, temperature, max_tokens: maxTokens };
  const { data } = answerSchema.safeParse({ match: { model, request: withoutAbsent(sent) }, text: 'a' });
  const { model: named, request } = data?.match ?? {};
  return named === undefined || request === undefined || Object.keys(others).length > 0
    ? undefined
    : { model: named, sent: request };
}

/** Equal for chats that are answered alike. */
export function identityOf({ model, sent }: AskedChat): string {
  return `${model}\n${digestOf(sent)}`;
}

/** What became of a chat that passed: nothing was paid for, or the rule of its answer, or why no rule can be made. */
export type Recorded = 'unpaid' | { readonly words: AnswerWords } | { readonly why: string };

/** `exchange`: the same as `relayed`, without keys. */
export function recordedAnswer(relayed: RelayedExchange, exchange: Exchange, info: TargetInfo): Recorded {
  const { outcome, request } = exchange;
  if (outcome.kind === 'not-sent') return 'unpaid';
  if (outcome.kind === 'answered' && ['refused', 'failed'].includes(dispositionOf(exchange, info)))
    return 'unpaid';
  const { answer } = outcome;
  const said = answer && isSuccess(answer) && !isCutShort(answer) ? readAnswer(answer, info) : undefined;
  // Of a stream that broke off, nobody knows the rest; JSON is whole or none.
  if (said === undefined || (outcome.kind === 'uncertain' && said.isStream))
    return { why: outcome.kind === 'uncertain' ? outcome.reason : 'no rule can say it' };
  const asked = askedChat(relayed.body.read().body);
  const shown = askedChat(request.body ?? new Uint8Array());
  if (asked === undefined || shown?.model !== asked.model) return { why: 'no rule can say what was asked' };
  const words = ruleOf(asked, shown, said.words, info);
  return words === undefined ? { why: 'no rule can say it' } : { words };
}

/** What was said, for which it was paid. */
type Said = Pick<AnswerWords, 'finish' | 'usage'> & { readonly text: string };

function readAnswer(
  answer: Answer,
  info: TargetInfo,
): { readonly words: Said; readonly isStream: boolean } | undefined {
  if (isEventStream(answer)) {
    const { text, finishReason, usage } = readStream(answer, info);
    const words = text && { text: text.text, ...finishOf(finishReason), ...usageOf(usage) };
    // Without its end, a stream may lack more of its text.
    return words?.finish === undefined ? undefined : { words, isStream: true };
  }
  const { body, choices: [choice] = [], usage } = readCompletion(answer, info) ?? {};
  if (body === undefined || choice?.text === undefined || usage === undefined) return undefined;
  const finish = saysNothing(body['choices']) ? { finish: '' } : finishOf(choice.finishReason);
  return { words: { text: choice.text, ...finish, ...usageOf(usage) }, isStream: false };
}

/** An empty text is no finish reason, and is what the client was told all the same. */
function saysNothing(choices: unknown): boolean {
  const [choice] = Array.isArray(choices) ? choices : [];
  return isJsonObject(choice) && choice['finish_reason'] === '';
}

function finishOf(reading: ItemReading): Pick<Said, 'finish'> {
  return typeof reading === 'string' || typeof reading.value !== 'string' ? {} : { finish: reading.value };
}

function usageOf(reading: UsageReading): Pick<Said, 'usage'> {
  if (typeof reading === 'string' || (reading.input ?? reading.output) === undefined) return {};
  const { input, output } = reading;
  return { usage: { ...(input && { input: input.value }), ...(output && { output: output.value }) } };
}

/**
 * The rule of an answer, without secrets; unchecked where the service did not keep the specification. Undefined: no rule
 * can say it.
 */
function ruleOf(
  asked: AskedChat,
  { sent }: AskedChat,
  said: Said,
  info: TargetInfo,
): AnswerWords | undefined {
  const digest = digestOf(asked.sent);
  const request = digestOf(sent) === digest ? sent : { ...sent, digest };
  const words = { match: { model: asked.model, request }, ...said };
  const checked = answerSchema.safeParse(words);
  if (checked.success && fits(said, asked, info)) return checked.data;
  return answerSchema.safeParse({ ...words, unchecked: true }).data;
}

/** Whether the usage keeps the limits of the request (REQ-9) and of the model (LIM-1). */
function fits({ usage = {} }: Said, { model, sent }: AskedChat, info: TargetInfo): boolean {
  const { input = 0, output = 1 } = usage;
  const { max_tokens: most } = sent;
  return output <= (most ?? Infinity) && input + (most ?? output) <= contextOf(model, info);
}

/** Tokens of input and output together. */
export function contextOf(model: string, { models }: TargetInfo): number {
  return models.find(({ id }) => id === model)?.contextTokens ?? UNKNOWN_CONTEXT;
}

/** By which a chat can be found in the workspace of the service. */
export function nameOf({ id, request }: Exchange): string {
  const key = request.headers[HEADERS.idempotencyKey];
  return key === undefined ? `${id}, which has no Idempotency-Key` : `Idempotency-Key ${key}`;
}

function withoutAbsent(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}
