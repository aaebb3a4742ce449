import { redactText } from '../../fixtures/credentials/redact-secrets.ts';
import type { RecordedRequest, WorkspaceRead } from '../../mock-server/journal/request-recorder.ts';
import type { Sandbox } from '../../mock-server/sandboxes/sandbox.ts';
import type {
  Timeline,
  TimelineRequest,
  WorkspaceLookup,
  WorkspaceState,
} from '../../suites/caller/observed/timeline.ts';
import { timelineRequest } from './observe-request.ts';

/** Where a caller is observed, and from when on. */
export interface ObservedSandboxes {
  readonly service: Sandbox;
  /** Plays another provider; undefined: none is played. */
  readonly elsewhere?: Sandbox | undefined;
  /** Times are those of `performance.now()`. */
  readonly startedAt: number;
}

/** What is known of a caller beside its requests. */
export type TimelineDetails = Omit<Timeline, 'requests' | 'lookups' | 'unmet'> & {
  /** When the observation ended. */
  readonly endedAt: number;
};

function isUnderWay({ entry, goneAt }: RecordedRequest): boolean {
  return entry.ended === null || (entry.ended === 'silent' && goneAt === null);
}

/** How many requests are still under way, or wait for an answer that does not come. */
export function underWay({ service, elsewhere }: Omit<ObservedSandboxes, 'startedAt'>): number {
  const recorded = [service, elsewhere].flatMap((sandbox) => sandbox?.recorder?.requests ?? []);
  return recorded.filter(isUnderWay).length;
}

const SETTLING_MS = 300;
const POLL_EVERY_MS = 10;

/** Waits briefly until the connections of a process that has ended are seen to be closed. */
export async function connectionsSettled(observed: Omit<ObservedSandboxes, 'startedAt'>): Promise<void> {
  for (let waited = 0; waited < SETTLING_MS && underWay(observed) > 0; waited += POLL_EVERY_MS)
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
}

/** Writes texts without the keys of these sandboxes, in every spelling. */
export function withoutKeysOf(...sandboxes: readonly (Sandbox | undefined)[]): (text: string) => string {
  const keys = sandboxes.flatMap((sandbox) => sandbox?.service.world.keys ?? []);
  const named = keys.map(
    ({ key }, index) => [key, `[key:${index === 0 ? 'primary' : `key-${index + 1}`}]`] as const,
  );
  const secrets = new Map(named.toReversed());
  return (text) => redactText(text, secrets);
}

function requestsAt(
  { service, elsewhere, startedAt }: ObservedSandboxes,
  place: TimelineRequest['place'],
  endedAt: number,
): readonly Omit<TimelineRequest, 'n'>[] {
  const sandbox = place === 'service' ? service : elsewhere;
  if (sandbox === undefined) return [];
  const withoutOwn = withoutKeysOf(service);
  const context = {
    place,
    world: sandbox.service.world,
    holdsKey: (text: string): boolean => withoutOwn(text) !== text,
    withoutKeys: withoutKeysOf(service, elsewhere),
    startedAt,
    endedAt,
  };
  return (sandbox.recorder?.requests ?? []).map((recorded) => timelineRequest(recorded, context));
}

/** Everything observed of a caller so far, as a timeline. */
export function callerTimeline(
  observed: ObservedSandboxes,
  { endedAt, ...details }: TimelineDetails,
): Timeline {
  const requests = (['service', 'elsewhere'] as const)
    .flatMap((place) => requestsAt(observed, place, endedAt))
    .toSorted((one, other) => one.arrivedAt - other.arrivedAt)
    .map((request, index) => Object.assign({ n: index + 1 }, request));
  const reads = observed.service.recorder?.workspaceReads ?? [];
  const lookups = reads
    .filter(({ operation }) => LOOKUP_OPERATIONS.has(operation))
    .map((read) => lookupOf(read, observed.startedAt));
  // Faults that a user armed may be meant for later.
  const unmet = details.scenario === 'watched' ? undefined : unmetFaults(observed.service);
  return { ...details, requests, lookups, unmet };
}

/** Why a scenario came to nothing; one fault of several is enough. */
function unmetFaults({ service }: Sandbox): string | undefined {
  const rules = service.faults.rules();
  if (rules.length === 0 || rules.some(({ fired }) => fired > 0)) return undefined;
  const names = new Set(rules.map(({ rule }) => rule.words.fault));
  const seen = Math.max(...rules.map((armed) => armed.seen));
  const completions = seen === 1 ? '1 completion' : `${seen} completions`;
  return `its fault (${[...names].join(', ')}) met no request: only ${completions} came so far`;
}

/** The operations of the control API that show the outcomes of requests. */
const LOOKUP_OPERATIONS = new Set([
  'listRequests',
  'readRequest',
  'readHistory',
  'readWorkspace',
  'readJournal',
]);

function lookupOf({ at, about, entries }: WorkspaceRead, startedAt: number): WorkspaceLookup {
  const states = new Map<string, WorkspaceState>();
  for (const { requestId, idempotencyKey, state } of entries) {
    states.set(requestId, state);
    if (idempotencyKey !== null) states.set(idempotencyKey, state);
  }
  return { at: at - startedAt, about: about ?? undefined, states };
}
