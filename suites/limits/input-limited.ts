import { conversation } from '../../fixtures/chats/accepted-chats.ts';
import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check } from '../engine/model/check.ts';
import {
  LARGEST_FILLED,
  missingContextSize,
  smallContexts,
  type SizedModel,
  longText,
  isTokenLimitError,
  plainRefusals,
} from './token-limits.ts';

/** For tokens of four bytes; even with eight bytes a token the text is larger than the context. */
const TIMES_THE_CONTEXT = 3;

/** So many that no message fills the context alone, even with two bytes a token. */
const SHARES = 8;

/** What is too large: all messages together but none alone, the system message, or an earlier message. */
const MESSAGES = {
  together: (tokens: number) => conversation(Array.from({ length: SHARES }, () => longText(tokens / SHARES))),
  system: (tokens: number) => conversation([longText(tokens), 'Hi.']),
  before: (tokens: number) => conversation([longText(tokens), 'Yes.', 'Hi.']),
};

interface TooLarge {
  readonly model: SizedModel;
  /** Streamed chats often have their own validation. */
  readonly options: { readonly stream?: true };
  readonly where: keyof typeof MESSAGES;
}

/** An input larger than a small context, with and without `stream`; the counterpart is the smallest chat. */
const tooLargeInput = requestStimulus<TooLarge>({
  name: 'too-large-input',
  stage: 'paid',
  cappedCount: 2,
  fixedCount: 2,
  skipReason: (info) =>
    missingContextSize(info) ??
    (smallContexts(info).length === 0
      ? `no model has a known context of at most ${LARGEST_FILLED} tokens: see growing-input-limited`
      : undefined),
  inputs: (info) => ({
    examples: smallContexts(info)
      .slice(0, 2)
      .flatMap((model): readonly TooLarge[] => [
        { model, options: {}, where: 'together' },
        { model, options: { stream: true }, where: 'system' },
        { model, options: {}, where: 'before' },
        { model, options: { stream: true }, where: 'together' },
        { model, options: {}, where: 'system' },
        { model, options: { stream: true }, where: 'before' },
      ]),
  }),
  requests: ({ model, options, where }, info) => {
    const chat = { ...smallestChat(info), model: model.id, ...options };
    const messages = MESSAGES[where](model.contextTokens * TIMES_THE_CONTEXT);
    return {
      counterpart: chatDraft(chat),
      refused: [chatDraft({ ...chat, messages })],
      next: plainRefusals(info),
    };
  },
});

export const inputLimited = check({
  id: 'input-limited',
  clauses: ['ERR-4'],
  title: 'answers an input larger than the context of the model with an error',
  decides: 'refuses too large an input',
  given: tooLargeInput,
  holds: isTokenLimitError('the input alone is larger than the context of the model'),
});
