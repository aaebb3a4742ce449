import { type Answer, jsonAnswer } from '../http/answer.ts';
import { type Completion, jsonUtf8 } from './completion.ts';
import { generate } from './generate.ts';
import type { Identity } from '../world/identity.ts';
import type { Order } from './order.ts';
import type { Service } from '../service.ts';

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
const UNCACHED: readonly string[] = ['cache-control', 'no-cache'];

/** What the model makes of an order: the same for the same seed and body. */
export function completeOrder(service: Service, order: Order, identity: Identity): Completion {
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
  order: Order,
  requestId: string,
  completion: Completion,
): Answer {
  if (!order.stream) return jsonAnswer(requestId, service.writeCompletion(completion));
  const body = service.writeEventStream(completion);
  return { status: 200, requestId, contentType: EVENT_STREAM, body, headers: UNCACHED };
}
