import { redactText } from '../../fixtures/credentials/redact-secrets.ts';
import type {
  RecordedRequest,
  RequestRecorder,
  WorkspaceRead,
} from '../../mock-server/journal/request-recorder.ts';
import type { Sandbox } from '../../mock-server/sandboxes/sandbox.ts';
import type {
  TimelineRequest,
  Timeline,
  WorkspaceLookup,
  WorkspaceState,
} from '../../suites/caller/observed/timeline.ts';
import { type ObservationContext, timelineRequest } from './observe-request.ts';

export interface ObservedSandboxes {
  readonly service: Sandbox;
  /** Plays another provider; undefined: none is played. */
  readonly elsewhere?: Sandbox | undefined;
  /** Times are those of `performance.now()`. */
  readonly startedAt: number;
}

/** What is known of a caller beside its requests. */
export type TimelineDetails = Pick<
  Timeline,
  'scenario' | 'items' | 'atOnce' | 'records' | 'timeoutMs' | 'secretModels' | 'givenModel' | 'lagMs' | 'end'
> & {
  /** When the observation ended. */
  readonly endedAt: number;
};

const SETTLING_MS = 300;
const POLL_EVERY_MS = 10;

function isUnderWay({ entry, goneAt }: RecordedRequest): boolean {
  return entry.ended === null || (entry.ended === 'silent' && goneAt === null);
}

function isOpen({ requests }: RequestRecorder): boolean {
  return requests.some(isUnderWay);
}

/** Waits briefly until the connections of a process that has ended are seen to be closed. */
export async function connectionsSettled({ service, elsewhere }: ObservedSandboxes): Promise<void> {
  const recorders = [service.recorder, elsewhere?.recorder].filter((recorder) => recorder !== undefined);
  for (let waited = 0; waited < SETTLING_MS && recorders.some(isOpen); waited += POLL_EVERY_MS)
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
}

/** The requests that are still under way, or whose caller waits for an answer that does not come. */
export function underWay({ recorder }: Pick<Sandbox, 'recorder'>): number {
  return recorder?.requests.filter(isUnderWay).length ?? 0;
}

function keysOf(sandbox: Sandbox | undefined): readonly string[] {
  return (sandbox?.service.world.keys ?? []).map(({ key }) => key);
}

export function withoutKeysOf({ service, elsewhere }: ObservedSandboxes): (text: string) => string {
  return without([...keysOf(service), ...keysOf(elsewhere)]);
}

function without(keys: readonly string[]): (text: string) => string {
  const named = keys.map(
    (key, index) => [key, `[key:${index === 0 ? 'primary' : `key-${index + 1}`}]`] as const,
  );
  const secrets = new Map(named.toReversed());
  return (text) => redactText(text, secrets);
}

type Unnumbered = Omit<TimelineRequest, 'n'>;

/** What was made of requests that have ended: a judge may be asked again and again. */
const observedBefore = new WeakMap<RecordedRequest, { readonly made: Unnumbered; readonly when: string }>();

function observedOnce(recorded: RecordedRequest, context: ObservationContext): Unnumbered {
  const when = `${context.place} ${context.startedAt} ${context.endedAt} ${recorded.entry.ledger.length}`;
  const before = observedBefore.get(recorded);
  if (before?.when === when) return before.made;
  const made = timelineRequest(recorded, context);
  if (!isUnderWay(recorded)) observedBefore.set(recorded, { made, when });
  return made;
}

function requestsAt(
  observed: ObservedSandboxes,
  place: TimelineRequest['place'],
  endedAt: number,
): readonly Unnumbered[] {
  const { service, startedAt } = observed;
  const sandbox = place === 'service' ? service : observed.elsewhere;
  const { world } = (sandbox ?? service).service;
  const [withoutServiceKeys, withoutKeys] = [without(keysOf(service)), withoutKeysOf(observed)];
  const context = { place, world, withoutServiceKeys, withoutKeys, startedAt, endedAt };
  return (sandbox?.recorder?.requests ?? []).map((recorded) => observedOnce(recorded, context));
}

/** Everything observed of a caller so far, as a timeline. */
export function callerTimeline(
  observed: ObservedSandboxes,
  { endedAt, ...details }: TimelineDetails,
): Timeline {
  const requests = [
    ...requestsAt(observed, 'service', endedAt),
    ...requestsAt(observed, 'elsewhere', endedAt),
  ]
    .toSorted((one, other) => one.arrivedAt - other.arrivedAt)
    .map((request, index) => Object.assign({ n: index + 1 }, request));
  const lookups = workspaceLookups(observed.service.recorder?.workspaceReads ?? [], observed.startedAt);
  // Faults that a user armed may be meant for later.
  const unmet = details.scenario === 'watched' ? undefined : unmetFaults(observed.service);
  return { ...details, requests, lookups, unmet };
}

/** Why a scenario came to nothing; one fault of several is enough. */
function unmetFaults({ service }: Sandbox): string | undefined {
  const rules = service.faults.rules();
  if (rules.length === 0 || rules.some(({ fired }) => fired > 0)) return undefined;
  const names = new Set(rules.map(({ rule }) => rule.fault.fault));
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

function statesOf({ entries }: WorkspaceRead): ReadonlyMap<string, WorkspaceState> {
  return new Map(
    entries.flatMap(({ requestId, idempotencyKey, state }): [string, WorkspaceState][] => [
      [requestId, state],
      ...(idempotencyKey === null ? [] : [[idempotencyKey, state] as [string, WorkspaceState]]),
    ]),
  );
}

function workspaceLookups(reads: readonly WorkspaceRead[], startedAt: number): readonly WorkspaceLookup[] {
  return reads
    .filter(({ operation }) => LOOKUP_OPERATIONS.has(operation))
    .map((read) => ({ at: read.at - startedAt, about: read.about ?? undefined, states: statesOf(read) }));
}
