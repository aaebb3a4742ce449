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
  /** Of a scenario that holds an answer. In the others no request crosses a fault, and the caller's concurrency shows. */
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

/** The last item asks for the same as the first: a key that is made from the body is then the same too. */
function withRepetition(items: readonly TaskItem[]): readonly TaskItem[] {
  const [first, last] = [items[0], items.at(-1)];
  return first === undefined || last === undefined
    ? items
    : [...items.slice(0, -1), { ...first, id: last.id }];
}

const LONG = `Sum this up. ${'The tide came in, and the boats went out. '.repeat(40)}`;

/** One fault meets a caller that does one item after the other. */
function meeting(
  fault: string,
  count: number,
  clauses: readonly ClauseId[],
  faithful: string,
): Omit<CallerScenario, 'held'> {
  return { faithful, clauses, items: textItems(count), atOnce: 1, faults: [fault] };
}

/** The answer is lost: only the workspace knows the outcome of the request. */
const LOST = ['CALL-2', 'CALL-6', 'IDEM-2'] as const;
const LOST_BY_A_GATEWAY = ['CALL-2', 'CALL-6', 'CALL-8', 'IDEM-2'] as const;

/** An image is to be sent; the vision endpoint says whether a model takes it. */
const IMAGE: Omit<CallerScenario, 'faithful'> = {
  clauses: ['VIS-2'],
  items: [
    {
      id: 'wish-1',
      text: 'Wish 1 of 1: which colour is this?',
      maxTokens: 16,
      stream: false,
      image: `data:image/png;base64,${TINY_PNG}`,
    },
  ],
  atOnce: 1,
  faults: [],
};

const IN_ORDER = {
  'plain-use': {
    faithful:
      'Reads the models, and sends each item once, with its own Idempotency-Key, even where two are equal.',
    clauses: ['IDEM-1', 'AUTH-3', 'CALL-4', 'CALL-5', 'CALL-7'],
    items: withRepetition(textItems(4)).map((item, index) => ({ ...item, stream: index === 1 })),
    atOnce: 2,
    faults: [],
  },
  'rate-limited': {
    faithful: 'Keeps fewer requests in flight after the rate limit error than before, or stops.',
    clauses: ['CALL-1', 'CALL-6', 'IDEM-2'],
    // More than a pool can end while one of its slots waits for a second, and enough to show what it does then.
    items: textItems(40),
    atOnce: 4,
    faults: ['rate_limit endpoint=chat after=5 times=1'],
  },
  'token-limit': {
    faithful: 'Shortens the text or asks for less output after the token limit error, or gives up.',
    clauses: ['CALL-3', 'CALL-6', 'IDEM-2'],
    items: [{ id: 'wish-1', text: `Wish 1 of 1: ${LONG}`, maxTokens: 256, stream: false }],
    atOnce: 1,
    faults: ['token_limit endpoint=chat times=1'],
  },
  'model-vanishes': meeting(
    'unknown_model endpoint=chat times=1',
    3,
    ['CALL-5', 'CALL-6', 'IDEM-2'],
    'Reads the models again before it uses the refused model again, or gives up.',
  ),
  unavailable: meeting(
    'service_unavailable endpoint=chat times=6',
    2,
    ['CALL-6', 'IDEM-2'],
    'Does not retry automatically while the service is unavailable: never with the same key, and at most three times with fresh ones.',
  ),
  'charged-and-lost': meeting(
    'gateway_failure endpoint=chat phase=after-debit body=text times=1',
    3,
    LOST_BY_A_GATEWAY,
    'Looks the request up or drops it: it was done and paid for, and a gateway lost the answer.',
  ),
  'lost-before-reservation': meeting(
    'gateway_failure endpoint=chat phase=after-validation status=504 body=empty times=1',
    3,
    LOST_BY_A_GATEWAY,
    'Looks the request up or drops it: nothing was done, but to the caller it looks the same.',
  ),
  'html-answer': meeting(
    'gateway_failure endpoint=chat phase=during-generation body=html times=1',
    3,
    LOST_BY_A_GATEWAY,
    'Survives an HTML error page, and keeps the details of the request that is under review.',
  ),
  'no-answer': {
    ...meeting(
      'timeout endpoint=chat times=1',
      2,
      LOST,
      'Waits for the full timeout, and sends the request again only after a workspace lookup.',
    ),
    held: { timeoutMs: 1500, answerAfterMs: 6000 },
  },
  'late-answer': {
    ...meeting(
      'timeout endpoint=chat times=1',
      2,
      LOST,
      'Waits for the full timeout, which is another one: no timeout of its own fits both.',
    ),
    held: { timeoutMs: 5000, answerAfterMs: 12_000 },
  },
  'connection-lost': meeting(
    'connection_reset endpoint=chat phase=after-debit times=1',
    2,
    LOST,
    'Treats a connection that breaks off as an unknown outcome, not as a failure.',
  ),
  'stream-cut': {
    faithful: 'Treats a stream that breaks off as an unknown outcome, not as a short answer.',
    clauses: LOST,
    items: textItems(2).map((item) => ({ ...item, stream: true })),
    atOnce: 1,
    faults: ['stream_cut events=2 times=1', 'body_cut endpoint=chat stream=false bytes=40 times=1'],
  },
  'image-with-vision': {
    ...IMAGE,
    faithful: 'Asks the vision endpoint, and sends the image to a model that takes it.',
  },
  'image-without-vision': {
    ...IMAGE,
    faithful: 'Asks the vision endpoint, and sends no image.',
    vision: false,
  },
} satisfies Readonly<Record<string, CallerScenario>>;

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
