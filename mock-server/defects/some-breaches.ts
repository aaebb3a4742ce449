import type { SOME_DEFECTS } from './some-defects.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import type { Breaches } from './breaches.ts';
import { changing, isFields, without } from './fields.ts';
import { chatOf, misreads } from './misreads.ts';
import { changingChoices, misspellsChoices, misspellsCompletions, misspellsMessages } from './misspells.ts';
import { misstreamsChunks, misstreamsEvents } from './misstreams.ts';
import { RESPONSE_BREACHES } from './response-breaches.ts';

const CHEAPEST = 'compact-1';
const ONE = 'standard-1';
const SECOND_KEY = 'Bearer mock-Bn5x';

/** Does otherwise than it ought to with such requests only. */
function some(
  isMeant: (request: ReceivedRequest) => boolean,
  { onRequest: hears, onResponse: says }: DefectHooks,
): DefectHooks {
  return {
    ...(hears && {
      onRequest: (exchange, serve, service) =>
        isMeant(exchange.request) ? hears(exchange, serve, service) : serve(exchange),
    }),
    ...(says && {
      onResponse: (answer, request, service) => (isMeant(request) ? says(answer, request, service) : answer),
    }),
  };
}

const ofOne = (breach: DefectHooks): DefectHooks =>
  some((request) => chatOf(request)?.['model'] === ONE, breach);

const ofOthers = (breach: DefectHooks): DefectHooks =>
  some((request) => chatOf(request)?.['model'] !== CHEAPEST, breach);

const ofSecondKey = (breach: DefectHooks): DefectHooks =>
  some(({ authorization }) => authorization?.startsWith(SECOND_KEY) === true, breach);

const withoutUsage = misspellsCompletions((body) => without(body, 'usage'));

export const SOME_BREACHES: Breaches<typeof SOME_DEFECTS> = {
  'one-model-without-choices': () => ofOne(misspellsCompletions((body) => ({ ...body, choices: [] }))),
  'one-model-without-text': () => ofOne(misspellsMessages((message) => ({ ...message, content: null }))),
  'one-model-without-finish-reason': () =>
    ofOne(misspellsChoices((choice) => without(choice, 'finish_reason'))),
  'one-model-without-usage': () => ofOne(withoutUsage),
  'one-model-always-streamed': () =>
    ofOne(misreads((chat) => (chat['stream'] === undefined ? { ...chat, stream: true } : chat))),
  'other-models-ignore-max-tokens': () => ofOthers(RESPONSE_BREACHES['max-tokens-ignored-unreported']()),
  'other-models-ignore-stream': () =>
    ofOthers(misreads((chat) => changing(chat, 'stream', (value) => (value === true ? false : value)))),
  'other-models-streams-broken': () =>
    ofOthers(
      misstreamsEvents((events) => events.map((event, index) => (index === 1 ? event.slice(0, -4) : event))),
    ),
  'other-models-streams-without-finish': () =>
    ofOthers(
      misstreamsChunks((chunk) => changingChoices(chunk, (choice) => without(choice, 'finish_reason'))),
    ),
  'other-models-streams-without-usage': () =>
    ofOthers(misstreamsChunks((chunk) => (isFields(chunk['usage']) ? undefined : chunk))),
  'second-key-without-usage': () => ofSecondKey(withoutUsage),
};
