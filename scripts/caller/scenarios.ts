import { TINY_PNG } from '../../fixtures/chats/chat.ts';
import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import type { TimelineItem } from '../../suites/caller/timeline.ts';

/** One completion that a caller is asked for. */
export interface TaskItem extends TimelineItem {
  readonly maxTokens: number;
  readonly stream: boolean;
}

/** The content of `CHAT_TASK`, as JSON. */
export interface CallerTask {
  readonly version: 1;
  readonly scenario: string;
  /** How many items to have in flight at once. */
  readonly atOnce: number;
  /** The items; drivers rely on this key. */
  readonly wishes: readonly TaskItem[];
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
  /** Whether it shows how many requests are in flight, which a busy machine disturbs. */
  readonly showsWidth?: true;
  /** Whether it kills the server, starts it anew and drives it again: only for callers that are servers. */
  readonly restarts?: true;
  /** Whether a model takes images; absent: one does. */
  readonly vision?: boolean;
}

const SUBJECTS = ['a river', 'a bridge', 'a lantern', 'a harbour', 'a meadow', 'a kettle'];

function textItems(count: number, stream = false): readonly TaskItem[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `wish-${index + 1}`,
    text: `Wish ${index + 1} of ${count}: name ${SUBJECTS[index % SUBJECTS.length]}.`,
    maxTokens: 16,
    stream,
  }));
}

/** The second is a stream; the last asks for the same as the first: a key that is made from the body is then the same too. */
const PLAIN_ITEMS = textItems(4).map((item, index, [first = item]) => {
  if (index === 3) return { ...first, id: item.id };
  return { ...item, stream: index === 1 };
});

const LONG = `Sum this up. ${'The tide came in, and the boats went out. '.repeat(40)}`;

type Given = Partial<CallerScenario>;

/** Three items, one after the other, and no fault, unless `given` says otherwise. */
function scenario(faithful: string, clauses: readonly ClauseId[], given: Given): CallerScenario {
  return { faithful, clauses, items: textItems(3), atOnce: 1, faults: [], ...given };
}

/** The answer is lost: only the workspace knows the outcome of the request. */
function lost(faithful: string, faults: readonly string[], given: Given = {}): CallerScenario {
  const byGateway = faults.join().startsWith('gateway_failure') ? (['CALL-8'] as const) : [];
  return scenario(faithful, ['CALL-2', 'CALL-6', ...byGateway, 'IDEM-2'], { faults, ...given });
}

const COLOUR = 'Wish 1 of 1: which colour is this?';
const IMAGE = `data:image/png;base64,${TINY_PNG}`;
const WITH_IMAGE = textItems(1).map((item) => ({ ...item, text: COLOUR, image: IMAGE }));

/** Every scenario that a caller is tried with, in order. */
export const CALLER_SCENARIOS = {
  'plain-use': scenario(
    'Reads the models, and sends each item once, with its own Idempotency-Key, even if two are equal.',
    ['IDEM-1', 'AUTH-3', 'CALL-4', 'CALL-5', 'CALL-7'],
    { items: PLAIN_ITEMS, atOnce: 2 },
  ),
  'rate-limited': scenario(
    'Keeps fewer requests in flight after the rate limit error than before, or stops.',
    ['CALL-1', 'CALL-6', 'IDEM-2'],
    {
      // More than a pool can end while one of its slots waits for a second, and enough to show what it does then.
      items: textItems(24),
      atOnce: 4,
      showsWidth: true,
      // The first comes as soon as a pool of four is full: a caller with work of its own may have ten requests in all.
      // The second comes when a caller that heeded the first for one batch only has as many in flight again.
      faults: [3, 13].map((after) => `rate_limit endpoint=chat after=${after} times=1`),
    },
  ),
  'token-limit': scenario(
    'Shortens the text or asks for less output after the token limit error, or gives up.',
    ['CALL-3', 'CALL-6', 'IDEM-2'],
    {
      items: [{ id: 'wish-1', text: `Wish 1 of 1: ${LONG}`, maxTokens: 256, stream: false }],
      faults: ['token_limit endpoint=chat times=1'],
    },
  ),
  'model-vanishes': scenario(
    'Reads the models again before it uses the refused model again, or gives up.',
    ['CALL-5', 'CALL-6', 'IDEM-2'],
    { faults: ['unknown_model endpoint=chat times=1'] },
  ),
  unavailable: scenario(
    'Does not retry automatically while the service is unavailable: never with the same key, and at most three times with fresh ones.',
    ['CALL-6', 'IDEM-2'],
    { items: textItems(1), faults: ['service_unavailable endpoint=chat times=6'] },
  ),
  'charged-and-lost': lost(
    'Looks the request up or drops it: it was done and paid for, and a gateway lost the answer.',
    ['gateway_failure endpoint=chat phase=after-debit body=text times=1'],
  ),
  'lost-before-reservation': lost(
    'Looks the request up or drops it: nothing was done, but to the caller it looks the same.',
    ['gateway_failure endpoint=chat phase=after-validation status=504 body=empty times=1'],
  ),
  'html-answer': lost(
    'Survives an HTML error page, and keeps the details of the request that is under review.',
    ['gateway_failure endpoint=chat phase=during-generation body=html times=1'],
  ),
  'lost-before-restart': lost(
    'Looks the request up or drops it, even after it was killed, restarted and driven again (`--serve` only).',
    ['gateway_failure endpoint=chat phase=after-debit status=504 body=empty times=1'],
    { restarts: true },
  ),
  'no-answer': lost(
    'Waits for the full timeout, and sends the request again only after a workspace lookup.',
    ['timeout endpoint=chat times=1'],
    { held: { timeoutMs: 1500, answerAfterMs: 6000 } },
  ),
  'late-answer': lost(
    'Waits for the full timeout, which differs from that of `no-answer`, so that no fixed timeout fits both.',
    ['timeout endpoint=chat times=1'],
    { held: { timeoutMs: 5000, answerAfterMs: 12_000 } },
  ),
  'connection-lost': lost('Treats a connection that breaks off as an unknown outcome, not as a failure.', [
    'connection_reset endpoint=chat phase=after-debit times=1',
  ]),
  'stream-cut': lost(
    'Treats a stream that breaks off as an unknown outcome, not as a short answer.',
    ['stream_cut events=2 times=1', 'body_cut endpoint=chat stream=false bytes=40 times=1'],
    { items: textItems(2, true) },
  ),
  'image-with-vision': scenario(
    'Asks the vision endpoint, and sends the image to a model that takes it.',
    ['VIS-2'],
    { items: WITH_IMAGE },
  ),
  'image-without-vision': scenario('Asks the vision endpoint, and sends no image.', ['VIS-2'], {
    items: WITH_IMAGE,
    vision: false,
  }),
};

export type CallerScenarioName = keyof typeof CALLER_SCENARIOS;

export function callerScenarioNames(): readonly CallerScenarioName[] {
  return Object.keys(CALLER_SCENARIOS).filter((name): name is CallerScenarioName => name in CALLER_SCENARIOS);
}

/** The scenarios for a caller, which is a server or a command that ends by itself. */
export function scenariosFor(kind: 'server' | 'command'): readonly CallerScenarioName[] {
  return callerScenarioNames().filter((name) => kind === 'server' || !('restarts' in CALLER_SCENARIOS[name]));
}

export function scenariosOf(clause: ClauseId): readonly CallerScenarioName[] {
  return callerScenarioNames().filter((name) => CALLER_SCENARIOS[name].clauses.includes(clause));
}
