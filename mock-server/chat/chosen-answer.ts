import type { AnswerRule, Chosen } from '../answers/compile-answers.ts';
import { nearestRecording } from '../answers/nearest-recording.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { RulePlan } from '../rules/rule-plan.ts';
import type { World } from '../world/world-schema.ts';
import type { AcceptedChat } from './accept-chat.ts';
import { countTextTokens } from './count-tokens.ts';

/** What chooses answers in a sandbox. */
export interface AnswerService {
  readonly world: World;
  readonly answers: RulePlan<AnswerRule>;
}

interface Choice {
  /** Undefined: no rule is for the request. */
  readonly chosen: Chosen | undefined;
  /** Counts it, and tells the journal: a refused request takes no turn. */
  readonly take: () => void;
}

/** What the rules say of a request. */
export function chooseAnswer({ answers }: AnswerService, exchange: Exchange): Choice {
  const { use, take } = answers.offer(exchange);
  return {
    chosen: use?.rule.choose(exchange, use.found, use.turn),
    take: () => {
      take();
      if (use !== undefined) exchange.record?.learnt({ answer: use.id });
    },
  };
}

/** A valid chat with its chosen answer. Throws `unanswered` where the rules are all that the world says. */
export function chatWithChoice(
  service: AnswerService,
  exchange: Exchange,
  accepted: AcceptedChat,
): Pick<Choice, 'take'> & { readonly chat: AcceptedChat } {
  const { answers, world } = service;
  const { chosen, take } = chooseAnswer(service, exchange);
  if (chosen === undefined && world.unanswered === 'refuse')
    throw new ServiceError('unanswered', { detail: nearestRecording(answers.rules(), exchange) });
  return { chat: chosen === undefined ? accepted : chatWithAnswer(accepted, chosen), take };
}

/**
 * A chat with its chosen answer, whose usage is what is reserved and debited for. Throws `token_limit` where the chosen
 * input leaves no room for the output in the context of the model (LIM-1).
 */
function chatWithAnswer(chat: AcceptedChat, chosen: Chosen): AcceptedChat {
  const { usage = {}, unchecked } = chosen;
  const { input: inputTokens = chat.inputTokens, output: outputTokens = 0 } = usage;
  const { allowedTokens, model } = chat;
  if (unchecked === true) {
    const mostTokens = Math.max(
      allowedTokens,
      outputTokens,
      countTextTokens(chosen.text ?? ''),
      chosen.tokens ?? 0,
    );
    return { ...chat, chosen, inputTokens, allowedTokens: mostTokens };
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
