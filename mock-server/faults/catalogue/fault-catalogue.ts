import { DELIVERY_FAULTS } from './delivery-catalogue.ts';
import { choice, type FaultDescription, type FaultParameters, integer } from './fault-parameter.ts';
import { type Phase, PHASES } from './phases.ts';

/** A fault of any request, at one of these phases. */
function fault<const Parameters extends FaultParameters>(
  meaning: string,
  phases: readonly Phase[],
  defaultPhase: Phase,
  parameters: Parameters,
) {
  return { meaning, phases, defaultPhase, appliesTo: 'any', parameters } as const satisfies FaultDescription;
}

/** Nothing is refused after the debit: a refused request costs nothing (LIM-4). */
const UNTIL_GENERATION: readonly Phase[] = ['after-validation', 'after-reservation', 'during-generation'];
const UNTIL_ADMISSION: readonly Phase[] = ['after-validation'];

function refusal<const Parameters extends FaultParameters>(
  meaning: string,
  phases: readonly Phase[],
  parameters: Parameters,
) {
  return { ...fault(meaning, phases, 'after-validation', parameters), appliesTo: 'completions' } as const;
}

/** The header of refusals and of gateways. */
const RETRY_AFTER = {
  retry_after: {
    kind: 'header',
    meaning:
      'Retry-After: seconds, `date` (so many seconds of the world ahead), `nonsense`, `absent`, or a text as it is',
  },
} as const satisfies FaultParameters;

/** The application errors (ERR-1): refused with an error object, without a debit. */
export const REFUSALS = {
  unknown_model: refusal('Refuses the model as not available to the key', UNTIL_ADMISSION, {}),
  token_limit: refusal('Refuses input or requested output as too large', UNTIL_ADMISSION, {}),
  rate_limit: fault(
    'Refuses the request as beyond the rate limit, with Retry-After',
    ['before-authentication', ...UNTIL_GENERATION],
    'after-validation',
    RETRY_AFTER,
  ),
  model_unavailable: refusal('Refuses the model as known but unavailable now', UNTIL_GENERATION, RETRY_AFTER),
  service_unavailable: fault(
    'Refuses the request because the service is unavailable now',
    ['before-authentication', ...UNTIL_GENERATION],
    'before-authentication',
    RETRY_AFTER,
  ),
  insufficient_credits: refusal(
    'Refuses the request because the workspace has too few credits',
    UNTIL_ADMISSION,
    {},
  ),
};

const BEFORE_THE_BODY = PHASES.filter((phase) => phase !== 'handshake' && phase !== 'inside-body');
const FROM_THE_HANDSHAKE: readonly Phase[] = ['handshake', ...BEFORE_THE_BODY];

/** How a request ends that loses its answer between its reservation and its debit. */
const OUTCOME = {
  // oxlint-disable-next-line unicorn/no-thenable -- a word of a rule's syntax, never a function
  then: choice(
    'While the reservation is held: the request goes under review, or runs on without its caller and completes or fails',
    ['review', 'completes', 'fails'],
  ),
};

function loss<const Parameters extends FaultParameters>(
  meaning: string,
  phases: readonly Phase[],
  parameters: Parameters,
) {
  return fault(meaning, phases, 'during-generation', { ...parameters, ...OUTCOME });
}

/** Faults that take the place of the answer. The outcome is uncertain to the caller (ERR-7, ERR-8). */
export const LOSSES = {
  gateway_failure: loss('A gateway answers instead of the service, and not in JSON', BEFORE_THE_BODY, {
    status: integer('The HTTP status', 200, 502, 599),
    body: choice('An HTML page, a line of text, or no body', ['html', 'text', 'empty']),
    ...RETRY_AFTER,
  }),
  own_answer: loss('An answer of your own takes the place of the right one', BEFORE_THE_BODY, {
    status: integer('The HTTP status', 200, 200, 599),
    content_type: { kind: 'header', meaning: 'Its Content-Type', default: 'application/json' },
    body: { kind: 'text', meaning: 'Its body', default: '' },
    ...RETRY_AFTER,
  }),
  timeout: loss('No answer arrives, or it arrives late', FROM_THE_HANDSHAKE, {
    ms: {
      kind: 'duration',
      meaning: 'Milliseconds until the request goes on and is answered; absent: no answer',
    },
  }),
  half_open: loss(
    'No answer arrives, and the connection stays open when the caller ends its side',
    BEFORE_THE_BODY,
    {},
  ),
  connection_closed: loss(
    'The connection is closed instead of the answer; at inside-body: after the headers',
    PHASES,
    {},
  ),
  connection_reset: loss(
    'The connection is reset instead of the answer; at inside-body: after the headers',
    PHASES,
    {},
  ),
};

const A_SECOND = { ms: { kind: 'duration', meaning: 'Milliseconds', default: 1000 } } as const;

/** Waits before the answer, which loses nothing. */
const WAITS = {
  latency: fault('The request waits, then goes on', FROM_THE_HANDSHAKE, 'during-generation', A_SECOND),
  slow_accept: fault(
    'The first request of each connection waits, as if it were accepted late',
    ['before-authentication'],
    'before-authentication',
    A_SECOND,
  ),
};

/** Every fault by its name, with its phases and parameters. */
export const FAULTS = {
  ...REFUSALS,
  ...LOSSES,
  ...WAITS,
  ...DELIVERY_FAULTS,
  // Of a connection before its first request, for a mock that speaks TLS.
  wrong_certificate: fault(
    'The mock shows a certificate that a client must refuse; needs --tls',
    ['handshake'],
    'handshake',
    {
      how: choice('What is wrong with it; untrusted: it is signed by itself', [
        'expired',
        'not-yet-valid',
        'other-host',
        'untrusted',
      ]),
    },
  ),
};

/** The prefix of a model ID that asks for a fault, for clients that can change nothing else. */
export const FAULT_MODEL_PREFIX = 'fault:';

export type FaultName = keyof typeof FAULTS;
