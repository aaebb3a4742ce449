import { type Phase, PHASES } from './phases.ts';

/** A whole number. Without a default it may be absent, and its meaning says what absence means. */
export interface IntegerParameter {
  readonly kind: 'integer';
  readonly meaning: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly default?: number;
}

/** One of a list of values. */
export interface ChoiceParameter {
  readonly kind: 'choice';
  readonly meaning: string;
  readonly choices: readonly (string | number)[];
  readonly default: string | number;
}

export type FaultParameter = IntegerParameter | ChoiceParameter;

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

/** The longest timer of Node, in milliseconds. Enough for bytes too. */
export const LARGEST = 2_147_483_647;

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
    parameters: {},
  },
  model_unavailable: refusalOfCompletion('Refuses the model as known but unavailable now', UNTIL_GENERATION),
  service_unavailable: {
    meaning: 'Refuses the request because the service is unavailable now',
    phases: ['before-authentication', ...UNTIL_GENERATION],
    defaultPhase: 'before-authentication',
    appliesTo: 'any',
    parameters: {},
  },
  insufficient_credits: refusalOfCompletion('Refuses the request because the workspace has too few credits', [
    'after-validation',
  ]),
} as const satisfies Readonly<Record<string, FaultDescription>>;

const BEFORE_THE_BODY: readonly Phase[] = PHASES.filter((phase) => phase !== 'inside-body');

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
      status: { kind: 'choice', meaning: 'The HTTP status', choices: [502, 503, 504], default: 502 },
      body: {
        kind: 'choice',
        meaning: 'An HTML page, a line of text, or no body',
        choices: ['html', 'text', 'empty'],
        default: 'html',
      },
      ...OUTCOME,
    },
  },
  timeout: {
    meaning: 'No answer arrives, or it arrives late',
    phases: BEFORE_THE_BODY,
    defaultPhase: 'during-generation',
    appliesTo: 'any',
    parameters: {
      ms: {
        kind: 'integer',
        meaning: 'Milliseconds until the request goes on and is answered; absent: no answer',
        minimum: 1,
        maximum: LARGEST,
      },
      ...OUTCOME,
    },
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

const INSIDE: readonly Phase[] = ['inside-body'];

function integer<const Default extends number>(
  meaning: string,
  minimum: number,
  byDefault: Default,
): IntegerParameter & { readonly default: Default } {
  return { kind: 'integer', meaning, minimum, maximum: LARGEST, default: byDefault };
}

function delivery<const Parameters extends FaultDescription['parameters']>(
  meaning: string,
  parameters: Parameters,
) {
  return { meaning, phases: INSIDE, defaultPhase: 'inside-body', appliesTo: 'any', parameters } as const;
}

/** Faults of an answer that is on its way: its headers have left, and its debit is settled. */
export const DELIVERY_FAULTS = {
  body_cut: delivery('The connection is closed inside the body', {
    bytes: integer('Bytes of the body that are sent first', 0, 1),
  }),
  stream_cut: {
    ...delivery('The connection is closed between two events of a stream', {
      events: integer('Whole events that are sent first', 0, 1),
    }),
    appliesTo: 'streams',
  },
  stall: delivery('The body stops, and the connection stays open', {
    bytes: integer('Bytes of the body that are sent first', 0, 0),
    ms: {
      kind: 'integer',
      meaning: 'Milliseconds until the rest is sent; absent: never',
      minimum: 1,
      maximum: LARGEST,
    },
  }),
  pieces: delivery('The body arrives in pieces', {
    bytes: integer('Bytes in each piece', 1, 1),
    ms: integer('Milliseconds between pieces', 0, 0),
  }),
  wrong_content_length: delivery('Content-Length does not match the body; the connection is closed', {
    difference: integer('Bytes declared but not sent; negative: sent but not declared', -LARGEST, 1),
  }),
} as const satisfies Readonly<Record<string, FaultDescription>>;

/** Every fault by its name, with its phases and parameters. */
export const FAULTS = { ...REFUSALS, ...LOSSES, ...DELIVERY_FAULTS };

/** The prefix of a model ID that asks for a fault, for clients that can change nothing else. */
export const FAULT_MODEL_PREFIX = 'fault:';

export type FaultName = keyof typeof FAULTS;
