import type { Chosen } from '../answers/compile-answers.ts';
import { nearestRecording } from '../answers/nearest-recording.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { AcceptedChat } from './accept-chat.ts';
import { countTextTokens } from './count-tokens.ts';
import type { Exchange } from './exchange.ts';
import type { Service } from './service.ts';

/** What the rules choose for a request, if anything. `take` counts it, and tells the journal: a refused request takes no turn. */
export function chooseAnswer({ answers }: Service, exchange: Exchange) {
  const { use, take } = answers.offer(exchange);
  return {
    chosen: use?.rule.choose(exchange, use.found, use.turn),
    take: (): void => {
      take();
      if (use !== undefined) exchange.record?.learnt({ answer: use.id });
    },
  };
}

/**
 * A valid chat with its chosen answer, whose usage is what is reserved and debited for. Throws `unanswered` where the rules
 * are all that the world says, and `token_limit` where the chosen input leaves no room for the output in the context of the
 * model (LIM-1).
 */
export function withAnswer(
  { answers, world }: Service,
  exchange: Exchange,
  chat: AcceptedChat,
  chosen: Chosen | undefined,
): AcceptedChat {
  if (chosen === undefined) {
    if (world.unanswered !== 'refuse') return chat;
    throw new ServiceError('unanswered', { detail: nearestRecording(answers.rules(), exchange) });
  }
  const { input: inputTokens = chat.inputTokens, output: outputTokens = 0 } = chosen.usage ?? {};
  const { allowedTokens, model } = chat;
  if (chosen.unchecked === true) {
    const said = Math.max(outputTokens, countTextTokens(chosen.text ?? ''), chosen.tokens ?? 0);
    return { ...chat, chosen, inputTokens, allowedTokens: Math.max(allowedTokens, said) };
  }
  const room = model.contextTokens - inputTokens;
  // What only the context limited is limited by the chosen input too.
  const isFilled = chat.inputTokens + allowedTokens === model.contextTokens;
  const allowed = isFilled ? Math.min(allowedTokens, room) : allowedTokens;
  if (room < 1 || allowed > room)
    throw new ServiceError('token_limit', {
      path: ['messages'],
      detail: `The chosen answer counts ${inputTokens} tokens of input, the context of the model ${model.contextTokens}`,
    });
  return { ...chat, chosen, inputTokens, allowedTokens: allowed };
}
