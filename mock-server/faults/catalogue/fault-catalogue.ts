import { DELIVERY_FAULTS } from './delivery-catalogue.ts';
import { type FaultParameter, integer, RETRY_AFTER } from './fault-parameter.ts';
import { type Phase, PHASES } from './phases.ts';

/** A fault: a failure that the specification foresees. A service that meets it stays conformant. */
export interface FaultDescription {
  readonly meaning: string;
  /** Where it can trigger, in order. */
  readonly phases: readonly Phase[];
  readonly defaultPhase: Phase;
  /** The requests for which it can trigger. */
  readonly appliesTo: 'any' | 'completions' | 'streams';
  readonly parameters: Readonly<Record<string, FaultParameter>>;
}

/** Nothing is refused after the debit: a refused request costs nothing (LIM-4). */
const UNTIL_GENERATION: readonly Phase[] = ['after-validation', 'after-reservation', 'during-generation'];

function refusalOfCompletion(meaning: string, phases: readonly Phase[]): FaultDescription {
  return { meaning, phases, defaultPhase: 'after-validation', appliesTo: 'completions', parameters: {} };
}

/** The application errors (ERR-1): refused with an error object, without a debit. */
export const REFUSALS = {
  unknown_model: refusalOfCompletion('Refuses the model as not available to the key', ['after-validation']),
  token_limit: refusalOfCompletion('Refuses input or requested output as too large', ['after-validation']),
  rate_limit: {
    meaning: 'Refuses the request as beyond the rate limit, with Retry-After',
    phases: ['before-authentication', ...UNTIL_GENERATION],
    defaultPhase: 'after-validation',
    appliesTo: 'any',
    parameters: RETRY_AFTER,
  },
  model_unavailable: {
    ...refusalOfCompletion('Refuses the model as known but unavailable now', UNTIL_GENERATION),
    parameters: RETRY_AFTER,
  },
  service_unavailable: {
    meaning: 'Refuses the request because the service is unavailable now',
    phases: ['before-authentication', ...UNTIL_GENERATION],
    defaultPhase: 'before-authentication',
    appliesTo: 'any',
    parameters: RETRY_AFTER,
  },
  insufficient_credits: refusalOfCompletion('Refuses the request because the workspace has too few credits', [
    'after-validation',
  ]),
} as const satisfies Readonly<Record<string, FaultDescription>>;

const BEFORE_THE_BODY: readonly Phase[] = PHASES.filter(
  (phase) => phase !== 'handshake' && phase !== 'inside-body',
);
const FROM_THE_HANDSHAKE: readonly Phase[] = ['handshake', ...BEFORE_THE_BODY];

/** How a request ends that loses its answer between its reservation and its debit. */
const OUTCOME = {
  // oxlint-disable-next-line unicorn/no-thenable -- a word of a rule's syntax, never a function
  then: {
    kind: 'choice',
    meaning:
      'While the reservation is held: the request goes under review, or runs on without its caller and completes or fails',
    choices: ['review', 'completes', 'fails'],
    default: 'review',
  },
} as const satisfies Readonly<Record<string, FaultParameter>>;

/** Faults that take the place of the answer. The outcome is uncertain to the caller (ERR-7, ERR-8). */
export const LOSSES = {
  gateway_failure: {
    meaning: 'A gateway answers instead of the service, and not in JSON',
    phases: BEFORE_THE_BODY,
    defaultPhase: 'during-generation',
    appliesTo: 'any',
    parameters: {
      status: integer('The HTTP status', 200, 502, 599),
      body: {
        kind: 'choice',
        meaning: 'An HTML page, a line of text, or no body',
        choices: ['html', 'text', 'empty'],
        default: 'html',
      },
      ...RETRY_AFTER,
      ...OUTCOME,
    },
  },
  own_answer: {
    meaning: 'An answer of your own takes the place of the right one',
    phases: BEFORE_THE_BODY,
    defaultPhase: 'during-generation',
    appliesTo: 'any',
    parameters: {
      status: integer('The HTTP status', 200, 200, 599),
      content_type: { kind: 'header', meaning: 'Its Content-Type', default: 'application/json' },
      body: { kind: 'text', meaning: 'Its body', default: '' },
      ...RETRY_AFTER,
      ...OUTCOME,
    },
  },
  timeout: {
    meaning: 'No answer arrives, or it arrives late',
    phases: FROM_THE_HANDSHAKE,
    defaultPhase: 'during-generation',
    appliesTo: 'any',
    parameters: {
      ms: {
        kind: 'duration',
        meaning: 'Milliseconds until the request goes on and is answered; absent: no answer',
      },
      ...OUTCOME,
    },
  },
  half_open: {
    meaning: 'No answer arrives, and the connection stays open when the caller ends its side',
    phases: BEFORE_THE_BODY,
    defaultPhase: 'during-generation',
    appliesTo: 'any',
    parameters: OUTCOME,
  },
  connection_closed: {
    meaning: 'The connection is closed instead of the answer; at inside-body: after the headers',
    phases: PHASES,
    defaultPhase: 'during-generation',
    appliesTo: 'any',
    parameters: OUTCOME,
  },
  connection_reset: {
    meaning: 'The connection is reset instead of the answer; at inside-body: after the headers',
    phases: PHASES,
    defaultPhase: 'during-generation',
    appliesTo: 'any',
    parameters: OUTCOME,
  },
} as const satisfies Readonly<Record<string, FaultDescription>>;

/** Waits before the answer, which loses nothing. */
export const WAITS = {
  latency: {
    meaning: 'The request waits, then goes on',
    phases: FROM_THE_HANDSHAKE,
    defaultPhase: 'during-generation',
    appliesTo: 'any',
    parameters: { ms: { kind: 'duration', meaning: 'Milliseconds', default: 1000 } },
  },
  slow_accept: {
    meaning: 'The first request of each connection waits, as if it were accepted late',
    phases: ['before-authentication'],
    defaultPhase: 'before-authentication',
    appliesTo: 'any',
    parameters: { ms: { kind: 'duration', meaning: 'Milliseconds', default: 1000 } },
  },
} as const satisfies Readonly<Record<string, FaultDescription>>;

/** Faults of a connection before its first request, for a mock that speaks TLS. */
export const HANDSHAKE_FAULTS = {
  wrong_certificate: {
    meaning: 'The mock shows a certificate that a client must refuse; needs --tls',
    phases: ['handshake'],
    defaultPhase: 'handshake',
    appliesTo: 'any',
    parameters: {
      how: {
        kind: 'choice',
        meaning: 'What is wrong with it; untrusted: it is signed by itself',
        choices: ['expired', 'not-yet-valid', 'other-host', 'untrusted'],
        default: 'expired',
      },
    },
  },
} as const satisfies Readonly<Record<string, FaultDescription>>;

/** Every fault by its name, with its phases and parameters. */
export const FAULTS = { ...REFUSALS, ...LOSSES, ...WAITS, ...DELIVERY_FAULTS, ...HANDSHAKE_FAULTS };

/** The prefix of a model ID that asks for a fault, for clients that can change nothing else. */
export const FAULT_MODEL_PREFIX = 'fault:';

export type FaultName = keyof typeof FAULTS;
