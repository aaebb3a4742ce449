import type { LIMIT_DEFECTS } from './limit-defects.ts';
import { type Answer, jsonAnswer } from '../protocol/answer.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import type { World } from '../world/world.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import type { Breaches } from './breaches.ts';
import { changing, type Fields, without } from './fields.ts';
import { misbooks, misbooksSome } from './misbooks.ts';
import { isStreamed, misreads, misreadsField, misreadsMessage } from './misreads.ts';
import { misspellsErrors, misspellsItems, withText } from './misspells.ts';

const CONTEXTS = new Map(builtInWorld.models.map(({ id, contextTokens }) => [id, contextTokens]));
const LARGEST = Math.max(...CONTEXTS.values());
/** Of a text that fits every context. */
const SHORT = 1000;
const LONG = 3000;
/** So little is left of a text that is not counted. */
const UNCOUNTED = 100;
const TOKENS = 64;
const TIMES_LARGER = 8;
const UNAVAILABLE = ['model_unavailable', 'service_unavailable'];

const contextOf = ({ model }: Fields): number => CONTEXTS.get(String(model)) ?? 0;
const streams = ({ stream }: Fields): boolean => stream === true;

/** With contexts so large that to fill one costs much. */
function enlarged(world: World): World {
  const models = world.models.map((model) => ({
    ...model,
    contextTokens: model.contextTokens * TIMES_LARGER,
  }));
  return { ...world, models };
}

/** Takes a max_tokens for a small one, where that is so. */
function lowers(when: (maxTokens: number, context: number, chat: Fields) => boolean): DefectHooks {
  return misreads((chat) =>
    changing(chat, 'max_tokens', (value) =>
      typeof value === 'number' && when(value, contextOf(chat), chat) ? TOKENS : value,
    ),
  );
}

function truncates(when: (chat: Fields) => boolean): DefectHooks {
  return misreadsMessage((message, chat) =>
    changing(message, 'content', (content) =>
      typeof content === 'string' && content.length > LONG && when(chat) ? content.slice(0, SHORT) : content,
    ),
  );
}

/** Counts some messages, and keeps little of the others. */
function countsOnly(isCounted: (index: number, count: number, message: Fields) => boolean): DefectHooks {
  return misreadsMessage((message, _, index, count) =>
    isCounted(index, count, message)
      ? message
      : changing(message, 'content', (content) =>
          typeof content === 'string' ? content.slice(0, UNCOUNTED) : content,
        ),
  );
}

function canned(requestId: string, content: string): Answer {
  const message = { role: 'assistant', content };
  const completion = {
    id: 'chatcmpl-0',
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 4, total_tokens: 5 },
  };
  return jsonAnswer(requestId, JSON.stringify(completion));
}

const completes = (codes: readonly string[], content: string): DefectHooks =>
  misspellsErrors(codes, ({ requestId }) => canned(requestId, content));

/** Streams a text, and brings the stream to its proper end. */
function cannedStream(requestId: string, content: string): Answer {
  const choice = { index: 0, delta: { role: 'assistant', content }, finish_reason: 'stop' };
  const usage = { prompt_tokens: 1, completion_tokens: 4, total_tokens: 5 };
  const chunk = { id: 'chatcmpl-0', object: 'chat.completion.chunk', choices: [choice], usage };
  const body = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
  return { ...jsonAnswer(requestId, body), contentType: 'text/event-stream' };
}

/** Says something in place of a gateway failure to such requests. */
function coversGateway(
  when: (request: ReceivedRequest) => boolean,
  say: (requestId: string, content: string) => Answer,
): DefectHooks {
  return {
    onRequest: (exchange, serve) => {
      const { identity, request } = exchange;
      serve({
        ...exchange,
        lose: (loss) => {
          if (loss.fault === 'gateway_failure' && when(request))
            exchange.reply(say(identity.requestId, 'Something went wrong.'));
          else exchange.lose(loss);
        },
      });
    },
  };
}

export const LIMIT_BREACHES: Breaches<typeof LIMIT_DEFECTS> = {
  'requested-output-clamped': () => lowers((value, context) => value > context - TOKENS * 4),
  'requested-output-clamped-in-streams': () =>
    lowers((value, context, chat) => streams(chat) && value > context),
  'requested-output-wraps': () =>
    misreadsField('max_tokens', (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value >>> 0 : value,
    ),
  'input-truncated': () => truncates(() => true),
  'input-truncated-in-streams': () => truncates(streams),
  'input-counted-by-first-message': () => countsOnly((index) => index === 0),
  'input-counted-by-last-message': () => countsOnly((index, count) => index === count - 1),
  'input-counted-without-system': () => countsOnly((_, __, { role }) => role !== 'system'),
  'output-checked-alone': () => lowers((value, context) => value > context / 4 && value <= context),
  'largest-context-for-all': () =>
    lowers((value, context) => value > context - TOKENS * 4 && value <= LARGEST),
  'larger-context-for-both': () => ({
    changeWorld: enlarged,
    ...lowers(
      (value, context) => value > (context - TOKENS) * TIMES_LARGER && value <= LARGEST * TIMES_LARGER,
    ),
  }),
  'token-limit-fails': () => misspellsErrors(['token_limit'], (answer) => ({ ...answer, status: 500 })),
  'token-limit-in-html': () =>
    misspellsErrors(['token_limit'], (answer) => withText(answer, 'text/html', '<h1>Too large</h1>')),
  'rate-limit-in-plain-text': () =>
    misspellsErrors(['rate_limit'], (answer) => withText(answer, 'text/plain', 'Too many requests')),
  'rate-limit-empty': () => misspellsErrors(['rate_limit'], (answer) => withText(answer, 'text/plain', '')),
  'rate-limit-told-as-completion': () => completes(['rate_limit'], 'Please ask again later.'),
  'rate-limit-without-request-id': () =>
    misspellsItems(['rate_limit'], (items) => without(items, 'request_id')),
  'unavailability-told-as-completion': () => completes(UNAVAILABLE, 'I am not available now.'),
  'unavailability-streamed-as-completion': () =>
    misspellsErrors(UNAVAILABLE, (answer, request) =>
      isStreamed(request) ? cannedStream(answer.requestId, 'Hello!') : answer,
    ),
  'unavailability-without-error-object': () =>
    misspellsErrors(UNAVAILABLE, (answer) => ({ ...answer, body: '"Service Unavailable"' })),
  'gateway-failure-told-as-completion': () => coversGateway(() => true, canned),
  'gateway-failure-streamed-as-completion': () => coversGateway(isStreamed, cannedStream),
  'uncertain-request-released': () => misbooks((ledger) => ({ review: (entry) => ledger.fail(entry) })),
  'uncertain-stream-released': () =>
    misbooksSome(isStreamed, (ledger) => ({ review: (entry) => ledger.fail(entry) })),
  'uncertain-request-debited': () =>
    misbooks((ledger) => ({ review: (entry, owed, _, work) => ledger.succeed(entry, owed, work) })),
  'uncertain-request-replayed': () =>
    misbooks((ledger) => ({
      review: (entry, owed, resolved, work) => {
        ledger.review(entry, owed, resolved, work);
        const again = ledger.reserve({ ...entry, requestId: `${entry.requestId}-2` });
        ledger.succeed(again, owed, work);
      },
    })),
  'uncertain-request-forgotten': () =>
    misbooks((ledger) => ({
      entries: () => ledger.entries().filter(({ state }) => state !== 'under_review'),
    })),
};
