import { TINY_PNG } from '../../fixtures/chats/images.ts';
import type { ClauseId } from '../../fixtures/clauses/clauses.ts';

/** One completion that a caller is asked for. */
export interface TaskItem {
  readonly id: string;
  /** No two items of a scenario begin alike, and a shortened text still begins the same way. */
  readonly text: string;
  readonly maxTokens: number;
  readonly stream: boolean;
  /** An image to send with the text, as a data: URL. */
  readonly image?: string;
}

/** How long a caller must wait for an answer, and when a held answer is sent. */
export interface Timeouts {
  readonly timeoutMs: number;
  readonly answerAfterMs: number;
}

/** What happens to a caller, and what it is asked to do meanwhile. */
export interface CallerScenario {
  /** What a faithful caller does, in a sentence without its subject. */
  readonly faithful: string;
  /** The clauses that the scenario can exercise. */
  readonly clauses: readonly ClauseId[];
  readonly items: readonly TaskItem[];
  /** How many items to have in flight at once. */
  readonly atOnce: number;
  /** Fault rules. */
  readonly faults: readonly string[];
  /**
   * Milliseconds without a new request after which all requests in flight are answered, a fault before all others;
   * absent: each at once. So no request crosses a fault, and the caller's concurrency shows.
   */
  readonly gatherMs?: number;
  /** Of a scenario that holds an answer. */
  readonly held?: Timeouts;
  /** Whether a model takes images; absent: one does. */
  readonly vision?: boolean;
}

const SUBJECTS = ['a river', 'a bridge', 'a lantern', 'a harbour', 'a meadow', 'a kettle'];

function textItems(count: number): readonly TaskItem[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `wish-${index + 1}`,
    text: `Wish ${index + 1} of ${count}: name ${SUBJECTS[index % SUBJECTS.length]}.`,
    maxTokens: 16,
    stream: false,
  }));
}

/** Longer than a caller on a busy machine takes between the requests that it sends at once. */
const GATHER_MS = 250;

/** The last item asks for the same as the first: a key that is made from the body is then the same too. */
function withRepetition(items: readonly TaskItem[]): readonly TaskItem[] {
  const [first, last] = [items[0], items.at(-1)];
  return first === undefined || last === undefined
    ? items
    : [...items.slice(0, -1), { ...first, id: last.id }];
}

const PLAIN_USE = {
  faithful:
    'Reads the models, and sends each item once, with its own Idempotency-Key, even where two are equal.',
  clauses: ['IDEM-1', 'AUTH-3', 'CALL-4', 'CALL-5', 'CALL-7'],
  items: withRepetition(textItems(4)).map((item, index) => ({ ...item, stream: index === 1 })),
  atOnce: 2,
  faults: [],
  gatherMs: GATHER_MS,
} satisfies CallerScenario;

const LONG = `Sum this up. ${'The tide came in, and the boats went out. '.repeat(40)}`;

/** The service refuses: nothing was done, and nothing was spent. */
const REFUSAL_SCENARIOS = {
  'rate-limited': {
    faithful: 'Keeps fewer requests in flight after the rate limit error than before, or stops.',
    clauses: ['CALL-1', 'CALL-6', 'IDEM-2'],
    // More than a pool can end while one of its slots waits for a second, and enough to show what it does then.
    items: textItems(40),
    atOnce: 4,
    faults: ['rate_limit endpoint=chat after=5 times=1'],
    gatherMs: GATHER_MS,
  },
  'token-limit': {
    faithful: 'Shortens the text or asks for less output after the token limit error, or gives up.',
    clauses: ['CALL-3', 'CALL-6', 'IDEM-2'],
    items: [{ id: 'wish-1', text: `Wish 1 of 1: ${LONG}`, maxTokens: 256, stream: false }],
    atOnce: 1,
    faults: ['token_limit endpoint=chat times=1'],
    gatherMs: GATHER_MS,
  },
  'model-vanishes': {
    faithful: 'Reads the models again before it uses the refused model again, or gives up.',
    clauses: ['CALL-5', 'CALL-6', 'IDEM-2'],
    items: textItems(3),
    atOnce: 1,
    faults: ['unknown_model endpoint=chat times=1'],
    gatherMs: GATHER_MS,
  },
  unavailable: {
    faithful:
      'Does not retry automatically while the service is unavailable: never with the same key, and at most three times with fresh ones.',
    clauses: ['CALL-6', 'IDEM-2'],
    items: textItems(2),
    atOnce: 1,
    faults: ['service_unavailable endpoint=chat times=6'],
    gatherMs: GATHER_MS,
  },
} satisfies Readonly<Record<string, CallerScenario>>;

/** The answer is lost: only the workspace knows the outcome of the request. */
const LOST_ANSWER_SCENARIOS = {
  'charged-and-lost': {
    faithful: 'Looks the request up or drops it: it was done and paid for, and a gateway lost the answer.',
    clauses: ['CALL-2', 'CALL-6', 'CALL-8', 'IDEM-2'],
    items: textItems(3),
    atOnce: 1,
    faults: ['gateway_failure endpoint=chat phase=after-debit body=text times=1'],
    gatherMs: GATHER_MS,
  },
  'lost-before-reservation': {
    faithful: 'Looks the request up or drops it: nothing was done, but to the caller it looks the same.',
    clauses: ['CALL-2', 'CALL-6', 'CALL-8', 'IDEM-2'],
    items: textItems(3),
    atOnce: 1,
    faults: ['gateway_failure endpoint=chat phase=after-validation status=504 body=empty times=1'],
    gatherMs: GATHER_MS,
  },
  'html-answer': {
    faithful: 'Survives an HTML error page, and keeps the details of the request that is under review.',
    clauses: ['CALL-2', 'CALL-6', 'CALL-8', 'IDEM-2'],
    items: textItems(3),
    atOnce: 1,
    faults: ['gateway_failure endpoint=chat phase=during-generation body=html times=1'],
    gatherMs: GATHER_MS,
  },
  'no-answer': {
    faithful: 'Waits for the full timeout, and sends the request again only after a workspace lookup.',
    clauses: ['CALL-2', 'CALL-6', 'IDEM-2'],
    items: textItems(2),
    atOnce: 1,
    faults: ['timeout endpoint=chat times=1'],
    held: { timeoutMs: 1500, answerAfterMs: 6000 },
  },
  'late-answer': {
    faithful: 'Waits for the full timeout, which is another one: no timeout of its own fits both.',
    clauses: ['CALL-2', 'CALL-6', 'IDEM-2'],
    items: textItems(2),
    atOnce: 1,
    faults: ['timeout endpoint=chat times=1'],
    held: { timeoutMs: 5000, answerAfterMs: 12_000 },
  },
  'connection-lost': {
    faithful: 'Treats a connection that breaks off as an unknown outcome, not as a failure.',
    clauses: ['CALL-2', 'CALL-6', 'IDEM-2'],
    items: textItems(2),
    atOnce: 1,
    faults: ['connection_reset endpoint=chat phase=after-debit times=1'],
    gatherMs: GATHER_MS,
  },
  'stream-cut': {
    faithful: 'Treats a stream that breaks off as an unknown outcome, not as a short answer.',
    clauses: ['CALL-2', 'CALL-6', 'IDEM-2'],
    items: textItems(2).map((item) => ({ ...item, stream: true })),
    atOnce: 1,
    faults: ['stream_cut events=2 times=1', 'body_cut endpoint=chat stream=false bytes=40 times=1'],
    gatherMs: GATHER_MS,
  },
} satisfies Readonly<Record<string, CallerScenario>>;

const IMAGE_ITEM: TaskItem = {
  id: 'wish-1',
  text: 'Wish 1 of 1: which colour is this?',
  maxTokens: 16,
  stream: false,
  image: `data:image/png;base64,${TINY_PNG}`,
};

/** An image is to be sent; the vision endpoint says whether a model takes it. */
const IMAGE_SCENARIOS = {
  'image-with-vision': {
    faithful: 'Asks the vision endpoint, and sends the image to a model that takes it.',
    clauses: ['VIS-2'],
    items: [IMAGE_ITEM],
    atOnce: 1,
    faults: [],
  },
  'image-without-vision': {
    faithful: 'Asks the vision endpoint, and sends no image.',
    clauses: ['VIS-2'],
    items: [IMAGE_ITEM],
    atOnce: 1,
    faults: [],
    vision: false,
  },
} satisfies Readonly<Record<string, CallerScenario>>;

const IN_ORDER = {
  'plain-use': PLAIN_USE,
  ...REFUSAL_SCENARIOS,
  ...LOST_ANSWER_SCENARIOS,
  ...IMAGE_SCENARIOS,
};

export type CallerScenarioName = keyof typeof IN_ORDER;

/** Every scenario that a caller is tried with, in order. */
export const CALLER_SCENARIOS: Readonly<Record<CallerScenarioName, CallerScenario>> = IN_ORDER;

export function isCallerScenarioName(word: string): word is CallerScenarioName {
  return Object.hasOwn(CALLER_SCENARIOS, word);
}

export function callerScenarioNames(): readonly CallerScenarioName[] {
  return Object.keys(CALLER_SCENARIOS).filter(isCallerScenarioName);
}

/** The scenarios that can exercise a clause. */
export function scenariosOf(clause: ClauseId): readonly CallerScenarioName[] {
  return callerScenarioNames().filter((name) => CALLER_SCENARIOS[name].clauses.includes(clause));
}
