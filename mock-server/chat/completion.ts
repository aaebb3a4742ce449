import type { Work } from '../workspace/ledger.ts';
import { type Generation, generate } from './generate.ts';
import { toUtf8, type Answer, jsonAnswer } from '../protocol/answer.ts';
import type { ResponseChoices } from '../world/world.ts';
import type { Identity } from '../exchange/identity.ts';
import type { AcceptedChat } from './accept-chat.ts';
import type { Service } from '../sandboxes/service.ts';

/** What a model has completed, before it takes a shape on the wire. */
export interface Completion extends Generation {
  readonly id: string;
  /** The model's ID as JSON in UTF-8. */
  readonly modelJson: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly inputTokens: number;
}

/** Spells a completion as JSON in UTF-8 (RES-1 to RES-4), with the world's names for what the specification leaves open. */
export type WriteCompletion = (completion: Completion) => string;

/** By template: the text is the only part that needs escaping for every completion. */
export function createWriteCompletion(choices: ResponseChoices): WriteCompletion {
  const { finishReasonField, finishReasonPlace, extraFields } = choices;
  const finish = `,${jsonUtf8(finishReasonField)}:`;
  const extra = Object.entries(extraFields)
    .map(([name, value]) => `,${jsonUtf8(name)}:${jsonUtf8(value)}`)
    .join('');
  const writeUsage = createWriteUsage(choices);
  return (completion) => {
    const { id, created, modelJson, text, finishReason } = completion;
    const reason = `${finish}"${finishReason}"`;
    const [inChoice, atRoot] = finishReasonPlace === 'choice' ? [reason, ''] : ['', reason];
    return [
      `{"id":"${id}","object":"chat.completion","created":${created},"model":${modelJson},"choices":[`,
      `{"index":0,"message":{"role":"assistant","content":`,
      JSON.stringify(text),
      `}${inChoice}}]${atRoot},`,
      writeUsage(completion),
      `${extra}}`,
    ].join('');
  };
}

/** The usage member of a completion or of a stream's last chunk. */
export function createWriteUsage(choices: ResponseChoices): (completion: Completion) => string {
  const usage = jsonUtf8(choices.usageField);
  const input = jsonUtf8(choices.inputTokensField);
  const output = jsonUtf8(choices.outputTokensField);
  const total = jsonUtf8(choices.totalTokensField);
  return ({ inputTokens, tokens }) =>
    `${usage}:{${input}:${inputTokens},${output}:${tokens},${total}:${inputTokens + tokens}}`;
}

/** The last look before anything is emitted (STR-3). Throws for a completion that no caller should see. */
export function assertEmittable({ text, tokens }: Completion, allowedTokens: number): void {
  if (text === '' && allowedTokens > 0) throw new Error('The completion is empty');
  if (tokens > allowedTokens)
    throw new Error(`The completion has ${tokens} of ${allowedTokens} tokens allowed`);
}

export function jsonUtf8(value: string | number | boolean | null): string {
  return toUtf8(JSON.stringify(value));
}

/** What its debit is for. */
export function workOf({ inputTokens, tokens, finishReason }: Completion): Work {
  return { inputTokens, outputTokens: tokens, finishReason };
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
const UNCACHED: readonly string[] = ['cache-control', 'no-cache'];

/** What the model makes of an order: the same for the same seed and body. */
export function completeChat(service: Service, order: AcceptedChat, identity: Identity): Completion {
  const { text, tokens, finishReason } = generate(identity.word, order.allowedTokens);
  const created = Math.floor(service.clock() / 1000);
  const { completionId: id } = identity;
  return {
    id,
    modelJson: jsonUtf8(order.modelId),
    created,
    inputTokens: order.inputTokens,
    text,
    tokens,
    finishReason,
  };
}

/** A completion as its caller gets it: one JSON object, or an event stream. */
export function answerWith(
  service: Service,
  order: AcceptedChat,
  requestId: string,
  completion: Completion,
): Answer {
  if (!order.stream) return jsonAnswer(requestId, service.writeCompletion(completion));
  const body = service.writeEventStream(completion);
  return { status: 200, requestId, contentType: EVENT_STREAM, body, headers: UNCACHED };
}
