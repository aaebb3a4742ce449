import type { AnswerOffer, AnswerPlan } from '../answers/answer-plan.ts';
import type { Chosen } from '../answers/answer-rule.ts';
import { nearestRecording } from '../answers/nearest-recording.ts';
import { type Question, readQuestion, type SentChat } from '../answers/question.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { Caller } from '../world/caller.ts';
import type { AcceptedChat } from './accept-chat.ts';
import { BYTES_PER_TOKEN } from './count-tokens.ts';
import { cutToBytes, type Generation, naturalText, textOfTokens } from './generate.ts';

/** What rules can see of a valid chat, whose texts are read once more for them. */
function questionOf(
  { name }: Caller,
  { request }: Pick<Exchange, 'request'>,
  { modelId, stream }: AcceptedChat,
): Question {
  const sent: SentChat = JSON.parse(request.body?.toString() ?? '');
  return readQuestion(sent, { model: modelId, key: name, stream });
}

/** What the rules say of a valid chat. Throws `unanswered` where they are all that the world says. */
export function offerAnswer(answers: AnswerPlan, ...about: Parameters<typeof questionOf>): AnswerOffer {
  const question = questionOf(...about);
  const offer = answers.offer(question);
  if (offer.chosen === undefined && answers.refusesOthers)
    throw new ServiceError('unanswered', { detail: nearestRecording(answers.rules(), question) });
  return offer;
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

/** What a model that says the chosen words generates, within the allowed tokens (REQ-9). Unchecked words allow their own. */
export function generateChosen(chosen: Chosen, word: number, allowedTokens: number): Generation {
  // One token more than is allowed shows that it was cut.
  const whole = textOfChoice(chosen, word, allowedTokens + 1);
  const counted = chosen.outputTokens ?? tokensOf(whole);
  if (counted <= allowedTokens)
    return { text: whole, tokens: counted, finishReason: chosen.finishReason ?? 'stop' };
  const text = cutToBytes(whole, allowedTokens * BYTES_PER_TOKEN);
  const finishReason = (chosen.isUnchecked ? chosen.finishReason : undefined) ?? 'length';
  return { text, tokens: allowedTokens, finishReason };
}

function textOfChoice({ text, tokens }: Chosen, word: number, atMost: number): string {
  if (text !== undefined) return text;
  return tokens === undefined ? naturalText(word) : textOfTokens(word, Math.min(tokens, atMost));
}

function tokensOf(utf8: string): number {
  return Math.ceil(utf8.length / BYTES_PER_TOKEN);
}
