import { STATUS_CODES } from 'node:http';
import { type ErrorKind, ServiceError } from '../protocol/service-error.ts';
import type { Match } from '../rules/match.ts';
import { type Phase, PHASES } from '../rules/phases.ts';
import { oneOf, text, wholeNumber } from '../rules/words.ts';
import { cutAfter, toUtf8 } from './deliveries.ts';
import { DELIVERY_FAULTS } from './delivery-catalogue.ts';
import { duration, fault, headerValue, type Loss, RETRY_AFTER, retryAfterHeader, THEN } from './fault.ts';

/** Nothing is refused after the debit: a refused request costs nothing (LIM-4). */
const UNTIL_GENERATION = ['after-validation', 'after-reservation', 'during-generation'] as const;
const FROM_THE_START = ['before-authentication', ...UNTIL_GENERATION] as const;
const BEFORE_THE_BODY = [...FROM_THE_START, 'after-debit', 'before-headers'] as const;

const OF_CHAT = {
  only: { endpoint: 'chat' },
  phases: ['after-validation'],
  defaultPhase: 'after-validation',
} as const;

/** The application errors (ERR-1): refused with an error object, without a debit. */
const REFUSALS = {
  unknown_model: refused('unknown_model', 'Refuses the model: not available to the key', OF_CHAT),
  token_limit: refused('token_limit', 'Refuses the input or the requested output: too large', OF_CHAT),
  rate_limit: refused('rate_limit', 'Refuses the request: over the rate limit, with Retry-After', {
    phases: FROM_THE_START,
    defaultPhase: 'after-validation',
  }),
  model_unavailable: refused('model_unavailable', 'Refuses the model: known but unavailable now', {
    ...OF_CHAT,
    phases: UNTIL_GENERATION,
  }),
  service_unavailable: refused('service_unavailable', 'Refuses the request: the service is unavailable now', {
    phases: FROM_THE_START,
    defaultPhase: 'before-authentication',
  }),
  insufficient_credits: refused('insufficient_credits', 'Refuses the request: too few credits', OF_CHAT),
};

function refused<Where extends Phase>(
  kind: ErrorKind,
  meaning: string,
  where: { readonly phases: readonly Where[]; readonly defaultPhase: Where; readonly only?: Match },
) {
  return fault({
    meaning,
    ...where,
    parameters: RETRY_AFTER,
    effect: ({ retry_after: asked }, { retryAfterSeconds }) => {
      const usual = kind === 'rate_limit' ? retryAfterSeconds : undefined;
      return { kind: 'refuse', error: new ServiceError(kind, { headers: retryAfterHeader(asked ?? usual) }) };
    },
  });
}

const A_LOSS = { phases: BEFORE_THE_BODY, defaultPhase: 'during-generation' } as const;
const ENDING = { ...A_LOSS, phases: PHASES, parameters: THEN } as const;
const STATUS = wholeNumber(200, 599).describe('The HTTP status');

function lost(instead: Loss['instead']): Loss {
  return { kind: 'lose', instead };
}

/** Faults that take the place of the answer. The outcome is uncertain to the caller (ERR-7, ERR-8). */
const LOSSES = {
  gateway_failure: fault({
    ...A_LOSS,
    meaning: 'A gateway answers instead of the service, not in JSON',
    parameters: {
      status: STATUS.default(502),
      body: oneOf(['html', 'text', 'empty'])
        .describe('An HTML page, a line of text, or no body')
        .default('html'),
      ...RETRY_AFTER,
      ...THEN,
    },
    effect: ({ status, body, retry_after: asked }) => {
      const [contentType, page] = gatewayPage(status, body);
      return lost({ status, headers: [...contentType, ...retryAfterHeader(asked)], body: page });
    },
  }),
  own_answer: fault({
    ...A_LOSS,
    meaning: 'Sends a custom answer instead',
    parameters: {
      status: STATUS.default(200),
      content_type: headerValue.describe('Its Content-Type').default('application/json'),
      body: text.describe('Its body').default(''),
      ...RETRY_AFTER,
      ...THEN,
    },
    effect: ({ status, content_type: type, body, retry_after: asked }) => {
      const headers = ['content-type', String(type), ...retryAfterHeader(asked)];
      return lost({ status, headers, body: toUtf8(body) });
    },
  }),
  timeout: fault({
    ...A_LOSS,
    meaning: 'No answer arrives, or it arrives late',
    parameters: {
      ms: duration
        .describe('Milliseconds until the request continues and is answered; absent: no answer')
        .exactOptional(),
      ...THEN,
    },
    effect: ({ ms }, { draw }) => (ms === undefined ? lost('silence') : { kind: 'wait', ms: draw(ms) }),
  }),
  connection_closed: fault({
    ...ENDING,
    meaning: 'Closes the connection instead of answering; at inside-body: after the headers',
    effect: (_, { phase }) => (phase === 'inside-body' ? cutAfter(() => '') : lost('fin')),
  }),
  connection_reset: fault({
    ...ENDING,
    meaning: 'Resets the connection instead of answering; at inside-body: after the headers',
    effect: (_, { phase }) => (phase === 'inside-body' ? cutAfter(() => '', 'rst') : lost('rst')),
  }),
};

/** Every fault by its name: when it can happen, what it takes, and what it does. */
export const FAULTS = {
  ...REFUSALS,
  ...LOSSES,
  latency: fault({
    meaning: 'The request waits, then continues',
    phases: BEFORE_THE_BODY,
    defaultPhase: 'during-generation',
    parameters: { ms: duration.describe('Milliseconds').default(1000) },
    effect: ({ ms }, { draw }) => ({ kind: 'wait', ms: draw(ms) }),
  }),
  ...DELIVERY_FAULTS,
};

export type FaultName = keyof typeof FAULTS;

/** The header of a page, and the page, as gateways write it. */
function gatewayPage(status: number, form: 'html' | 'text' | 'empty'): [readonly string[], string] {
  const title = `${status} ${STATUS_CODES[status] ?? 'Unknown'}`;
  if (form === 'empty') return [[], ''];
  if (form === 'text') return [['content-type', 'text/plain'], `${title}\n`];
  const head = `<!DOCTYPE html>\n<html lang="en">\n<head><title>${title}</title></head>\n`;
  return [['content-type', 'text/html'], `${head}<body><h1>${title}</h1><p>gateway</p></body>\n</html>\n`];
}
