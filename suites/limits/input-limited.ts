import { conversation } from '../../fixtures/chats/accepted-chats.ts';
import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { chatDraft, refusedChats, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { check } from '../engine/model/check.ts';
import { stimulus, type Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import {
  LARGEST_FILLED,
  missingContextSize,
  smallContexts,
  type SizedModel,
  longText,
  isTokenLimitError,
  withPlainRefusals,
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
const tooLargeInput = stimulus<Trial, TooLarge>({
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
  cost: (input, info) => ({
    refused: 1,
    counterparts: [chatDraft(fitting(input, info)), ...Object.values(refusedChats(info))],
  }),
  send: async (input, sender, info) => {
    const chat = fitting(input, info);
    const messages = MESSAGES[input.where](input.model.contextTokens * TIMES_THE_CONTEXT);
    return {
      counterpart: await sender.sendCounterpart(chatDraft(chat)),
      exchanges: await withPlainRefusals(await sender.send(chatDraft({ ...chat, messages })), sender, info),
    };
  },
});

function fitting({ model, options }: TooLarge, info: TargetInfo): ChatBody {
  return { ...smallestChat(info), model: model.id, ...options };
}

export const inputLimited = check({
  id: 'input-limited',
  clauses: ['ERR-4'],
  title: 'answers an input larger than the context of the model with an error',
  decides: 'refuses too large an input',
  given: tooLargeInput,
  holds: isTokenLimitError('the input alone is larger than the context of the model'),
});
