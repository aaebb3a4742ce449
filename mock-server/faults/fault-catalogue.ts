import { type Phase, PHASES } from './phases.ts';

/** A whole number. Without a default it may be absent, and its meaning says what that means. */
export interface IntegerParameter {
  readonly kind: 'integer';
  readonly meaning: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly default?: number;
}

/** One of a few words or numbers. */
export interface ChoiceParameter {
  readonly kind: 'choice';
  readonly meaning: string;
  readonly choices: readonly (string | number)[];
  readonly default: string | number;
}

export type FaultParameter = IntegerParameter | ChoiceParameter;

/** A fault that the specification foresees: a service that meets it stays conformant. */
export interface FaultDescription {
  readonly meaning: string;
  /** Where it can strike. */
  readonly phases: readonly Phase[];
  readonly defaultPhase: Phase;
  /** The requests it can strike. */
  readonly appliesTo: 'any' | 'completions' | 'streams';
  readonly parameters: Readonly<Record<string, FaultParameter>>;
}

/** The longest that a timer of Node's waits, in milliseconds; enough for bytes too. */
export const LARGEST = 2_147_483_647;

/** After the debit nothing is refused any more: what was charged for is not called an error (LIM-4). */
const UNTIL_GENERATION: readonly Phase[] = ['after-validation', 'after-reservation', 'during-generation'];

function refusalOfCompletion(meaning: string, phases: readonly Phase[]): FaultDescription {
  return { meaning, phases, defaultPhase: 'after-validation', appliesTo: 'completions', parameters: {} };
}

/** The application errors (ERR-1): refused with an error object, and nothing is debited. */
export const REFUSALS = {
  unknown_model: refusalOfCompletion('The model is refused as not available to the key', [
    'after-validation',
  ]),
  token_limit: refusalOfCompletion('Input or requested output is refused as too large', ['after-validation']),
  rate_limit: {
    meaning: 'The request is refused as one too many at once, with Retry-After',
    phases: ['before-authentication', ...UNTIL_GENERATION],
    defaultPhase: 'after-validation',
    appliesTo: 'any',
    parameters: {},
  },
  model_unavailable: refusalOfCompletion('The model is known and cannot be used now', UNTIL_GENERATION),
  service_unavailable: {
    meaning: 'The service cannot be used now',
    phases: ['before-authentication', ...UNTIL_GENERATION],
    defaultPhase: 'before-authentication',
    appliesTo: 'any',
    parameters: {},
  },
  insufficient_credits: refusalOfCompletion('The workspace is said to have too few credits left', [
    'after-validation',
  ]),
} as const satisfies Readonly<Record<string, FaultDescription>>;

const BEFORE_THE_BODY: readonly Phase[] = PHASES.filter((phase) => phase !== 'inside-body');

/** What becomes of a request that had its reservation and not yet its debit when its answer was lost. */
const OUTCOME = {
  // oxlint-disable-next-line unicorn/no-thenable -- a word of a rule's syntax, never a function
  then: {
    kind: 'choice',
    meaning:
      'While the reservation is held: the request stays under review, or goes on unheard and completes or fails',
    choices: ['review', 'completes', 'fails'],
    default: 'review',
  },
} as const satisfies Readonly<Record<string, FaultParameter>>;

/** What a request meets instead of its answer: its outcome is uncertain to the caller (ERR-7, ERR-8). */
export const LOSSES = {
  gateway_failure: {
    meaning: 'A gateway answers in place of the service, and not in JSON',
    phases: BEFORE_THE_BODY,
    defaultPhase: 'during-generation',
    appliesTo: 'any',
    parameters: {
      status: { kind: 'choice', meaning: 'The HTTP status', choices: [502, 503, 504], default: 502 },
      body: {
        kind: 'choice',
        meaning: 'An HTML page, a line of text, or nothing',
        choices: ['html', 'text', 'empty'],
        default: 'html',
      },
      ...OUTCOME,
    },
  },
  timeout: {
    meaning: 'No answer comes, or it comes late',
    phases: BEFORE_THE_BODY,
    defaultPhase: 'during-generation',
    appliesTo: 'any',
    parameters: {
      ms: {
        kind: 'integer',
        meaning: 'Milliseconds after which the request goes on and is answered; absent: it never is',
        minimum: 1,
        maximum: LARGEST,
      },
      ...OUTCOME,
    },
  },
  connection_closed: {
    meaning: 'The connection is closed in place of the answer; inside the body: after the headers',
    phases: PHASES,
    defaultPhase: 'during-generation',
    appliesTo: 'any',
    parameters: OUTCOME,
  },
  connection_reset: {
    meaning: 'The connection is reset in place of the answer; inside the body: after the headers',
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

/** What happens to an answer that is whole and on its way: its headers have left, and the money is settled. */
export const DELIVERY_FAULTS = {
  body_cut: delivery('The connection is closed inside the body', {
    bytes: integer('Bytes of the body that are sent before', 0, 1),
  }),
  stream_cut: {
    ...delivery('The connection is closed between two events of a stream', {
      events: integer('Whole events that are sent before', 0, 1),
    }),
    appliesTo: 'streams',
  },
  stall: delivery('The body stops, and the connection stays open', {
    bytes: integer('Bytes of the body that are sent before', 0, 0),
    ms: {
      kind: 'integer',
      meaning: 'Milliseconds after which the rest is sent; absent: it never is',
      minimum: 1,
      maximum: LARGEST,
    },
  }),
  pieces: delivery('The body arrives in pieces', {
    bytes: integer('Bytes of a piece', 1, 1),
    ms: integer('Milliseconds between two pieces', 0, 0),
  }),
  wrong_content_length: delivery('The length declared is not that of the body; the connection is closed', {
    difference: integer(
      'Bytes declared beyond those sent; negative: sent beyond those declared',
      -LARGEST,
      1,
    ),
  }),
} as const satisfies Readonly<Record<string, FaultDescription>>;

/** Every fault by its name: where it can strike, and what can be said about it. */
export const FAULTS = { ...REFUSALS, ...LOSSES, ...DELIVERY_FAULTS };

/** What stands before the fault in a reserved model ID, for clients that can change nothing else. */
export const FAULT_MODEL_PREFIX = 'fault:';

export type FaultName = keyof typeof FAULTS;

export function isFaultName(word: string): word is FaultName {
  return Object.hasOwn(FAULTS, word);
}
