import type { RESPONSE_DEFECTS } from './response-defects.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import type { Breaches } from './breaches.ts';
import { changing, type Fields, isFields, without } from './fields.ts';
import { chatOf } from './misreads.ts';
import { changingChoices, misspellsChoices, misspellsCompletions, misspellsMessages } from './misspells.ts';
import { changingDeltas, misstreamsChunks } from './misstreams.ts';

const LONG_TEXT = 'and so on '.repeat(160);
const LONG_TOKENS = 400;
/** Nobody generates 400 tokens who may not have some of them. */
const isCapped = (chat: Fields | undefined): boolean => Number(chat?.['max_tokens']) < LONG_TOKENS;

const longText = (holder: Fields): Fields => changing(holder, 'content', (text) => text && LONG_TEXT);

function withOutput(body: Fields, output: (reported: number) => number): Fields {
  return changing(body, 'usage', (usage) => {
    if (!isFields(usage)) return usage;
    const completion = output(Number(usage['completion_tokens']));
    return {
      ...usage,
      completion_tokens: completion,
      total_tokens: Number(usage['prompt_tokens']) + completion,
    };
  });
}

const overlong = (body: Fields): Fields =>
  changingChoices(body, (choice) =>
    changing(choice, 'message', (message) => (isFields(message) ? longText(message) : message)),
  );

const finishing = (reason: unknown) => (choice: Fields) => ({ ...choice, finish_reason: reason });
const withoutReason = (choice: Fields): Fields => without(choice, 'finish_reason');
const uncounted = (body: Fields): Fields =>
  changing(body, 'usage', (usage) =>
    isFields(usage) ? { prompt_tokens: -1, completion_tokens: -1, total_tokens: -1 } : usage,
  );
const withUsage = (usage: unknown) => (body: Fields) => ({ ...body, usage });

const misstreamsChoices = (change: (choice: Fields) => Fields): DefectHooks =>
  misstreamsChunks((chunk) => changingChoices(chunk, change));

export const RESPONSE_BREACHES: Breaches<typeof RESPONSE_DEFECTS> = {
  'choices-empty': () => misspellsCompletions((body) => ({ ...body, choices: [] })),
  'choices-is-an-object': () =>
    misspellsCompletions((body) =>
      changing(body, 'choices', (choices) =>
        Array.isArray(choices) ? Object.fromEntries(choices.entries()) : choices,
      ),
    ),
  'choices-called-outputs': () =>
    misspellsCompletions(({ choices, ...body }) => ({ ...body, outputs: choices })),
  'response-wrapped': () => misspellsCompletions((data) => ({ data })),
  'response-in-a-list': () => misspellsCompletions((body) => [body]),
  'response-in-latin-1': () => misspellsCompletions((body) => ({ ...body, note: '\u00e9' })),
  'content-absent': () => misspellsMessages((message) => without(message, 'content')),
  'content-null': () =>
    misspellsMessages(({ content, ...rest }) => ({ ...rest, content: null, said: content })),
  'content-in-parts': () =>
    misspellsMessages((message) => ({ ...message, content: [{ type: 'text', text: message['content'] }] })),
  'text-beside-the-message': () =>
    misspellsChoices(({ message, ...choice }) => ({
      ...choice,
      text: isFields(message) ? message['content'] : message,
    })),
  'message-is-a-text': () => misspellsMessages(({ content }) => content),
  'second-choice-without-text': () =>
    misspellsCompletions((body) =>
      changing(body, 'choices', (choices) =>
        Array.isArray(choices)
          ? [...choices, { index: 1, message: { role: 'assistant' }, finish_reason: 'stop' }]
          : choices,
      ),
    ),
  'finish-reason-absent': () => misspellsChoices(withoutReason),
  'finish-reason-null': () => misspellsChoices(finishing(null)),
  'finish-reason-empty': () => misspellsChoices(finishing('')),
  'usage-absent': () => misspellsCompletions((body) => without(body, 'usage')),
  'usage-null': () => misspellsCompletions(withUsage(null)),
  'usage-empty': () => misspellsCompletions(withUsage({})),
  'usage-below-zero': () => misspellsCompletions(uncounted),
  'stream-without-usage': () =>
    misstreamsChunks((chunk) => (Object.hasOwn(chunk, 'usage') ? undefined : chunk)),
  'stream-usage-below-zero': () => misstreamsChunks(uncounted),
  'stream-usage-null': () => misstreamsChunks((chunk) => changing(chunk, 'usage', () => null)),
  'stream-without-finish-reason': () => misstreamsChoices(withoutReason),
  'stream-finish-reason-null': () => misstreamsChoices(finishing(null)),
  'max-tokens-ignored': () =>
    misspellsCompletions((body, request) =>
      isCapped(chatOf(request)) ? withOutput(overlong(body), () => LONG_TOKENS) : body,
    ),
  'max-tokens-ignored-unreported': () =>
    misspellsCompletions((body, request) => (isCapped(chatOf(request)) ? overlong(body) : body)),
  'max-tokens-off-by-one': () =>
    misspellsCompletions((body, request) =>
      JSON.stringify(body).includes('"length"') && isCapped(chatOf(request))
        ? withOutput(body, (reported) => reported + 1)
        : body,
    ),
  'max-tokens-ignored-in-streams': () =>
    misstreamsChunks((chunk, request) =>
      isCapped(chatOf(request)) ? withOutput(changingDeltas(chunk, longText), () => LONG_TOKENS) : chunk,
    ),
  'max-tokens-ignored-in-streams-unreported': () =>
    misstreamsChunks((chunk, request) =>
      isCapped(chatOf(request)) ? changingDeltas(chunk, longText) : chunk,
    ),
};
