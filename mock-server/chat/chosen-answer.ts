import type { AnswerOffer, AnswerPlan } from '../answers/answer-plan.ts';
import type { Chosen } from '../answers/answer-rule.ts';
import { readQuestion } from '../answers/question.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { Caller } from '../world/caller.ts';
import type { AcceptedChat } from './accept-chat.ts';
import { BYTES_PER_TOKEN } from './count-tokens.ts';
import { cutToBytes, type Generation, naturalText, textOfTokens } from './generate.ts';

/** What the rules say of a valid chat, whose texts are read once more for them. */
export function offerAnswer(
  answers: AnswerPlan,
  { name }: Caller,
  { request }: Exchange,
  { modelId, stream }: AcceptedChat,
): AnswerOffer {
  const sent: Parameters<typeof readQuestion>[0] = JSON.parse(request.body?.toString() ?? '');
  return answers.offer(readQuestion(sent, { model: modelId, key: name, stream }));
}

/**
 * A chat with its chosen answer, whose usage is what is reserved and debited for. Throws `token_limit` where the chosen
 * input leaves no room for the output in the context of the model (LIM-1).
 */
export function chatWithAnswer(chat: AcceptedChat, chosen: Chosen): AcceptedChat {
  const { inputTokens = chat.inputTokens, outputTokens = 0, isUnchecked } = chosen;
  const { allowedTokens, model } = chat;
  if (isUnchecked) {
    const mostTokens = Math.max(allowedTokens, outputTokens, tokensOf(chosen.text ?? ''), chosen.tokens ?? 0);
    return { ...chat, chosen, inputTokens, allowedTokens: mostTokens };
  }
  if (inputTokens + allowedTokens > model.contextTokens)
    throw new ServiceError('token_limit', {
      path: ['messages'],
      detail: `The chosen answer counts ${inputTokens} tokens of input, the context of the model ${model.contextTokens}`,
    });
  return { ...chat, chosen, inputTokens };
}

/** What a model that says the chosen words generates: within the allowed tokens (REQ-9), unless it is not checked. */
export function generateChosen(chosen: Chosen, word: number, allowedTokens: number): Generation {
  const whole = textOfChoice(chosen, word);
  const text = chosen.isUnchecked ? whole : cutToBytes(whole, allowedTokens * BYTES_PER_TOKEN);
  const counted = chosen.outputTokens ?? tokensOf(text);
  const tokens = Math.min(counted, allowedTokens);
  const isCut = text !== whole || tokens < counted;
  return { text, tokens, finishReason: isCut ? 'length' : (chosen.finishReason ?? 'stop') };
}

function textOfChoice({ text, tokens }: Chosen, word: number): string {
  if (text !== undefined) return text;
  return tokens === undefined ? naturalText(word) : textOfTokens(word, tokens);
}

function tokensOf(utf8: string): number {
  return Math.ceil(utf8.length / BYTES_PER_TOKEN);
}
