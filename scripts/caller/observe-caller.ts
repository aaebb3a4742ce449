import type { Sandbox } from '../../mock-server/sandboxes/sandbox.ts';
import type { RequestRecorder } from '../../mock-server/journal/request-recorder.ts';
import type { TimelineRequest, Timeline } from '../../suites/caller/timeline.ts';
import { redactorOf } from '../../suites/kit/sending/redact.ts';
import { workspaceLookups } from './workspace-lookups.ts';
import { timelineRequest } from './observe-request.ts';

/** Where a caller is watched. */
export interface ObservedSandboxes {
  readonly service: Sandbox;
  /** What plays another provider; undefined: nothing does. */
  readonly elsewhere?: Sandbox | undefined;
  readonly startedAt: number;
}

/** What is known of a caller beside what arrived. */
export type TimelineDetails = Pick<
  Timeline,
  'scenario' | 'items' | 'atOnce' | 'records' | 'timeoutMs' | 'secretModels' | 'end'
> & {
  /** When the watch ended, by the process's monotonic clock. */
  readonly endedAt: number;
};

const SETTLING_MS = 300;
const LOOK_EVERY_MS = 10;

function isOpen({ requests: sightings }: RequestRecorder): boolean {
  return sightings.some(
    ({ entry, goneAt }) => entry.ended === null || (entry.ended === 'silent' && goneAt === null),
  );
}

/** Waits, for a moment at most, until the ends of the connections of a process that is gone have arrived. */
export async function connectionsSettled({ service, elsewhere }: ObservedSandboxes): Promise<void> {
  const witnesses = [service.recorder, elsewhere?.recorder].filter((witness) => witness !== undefined);
  for (let waited = 0; waited < SETTLING_MS && witnesses.some(isOpen); waited += LOOK_EVERY_MS)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}

function keysOf(sandbox: Sandbox | undefined): readonly string[] {
  return (sandbox?.service.world.keys ?? []).map(({ key }) => key);
}

/** Takes the keys of these sandboxes out of texts. */
export function withoutKeysOf({ service, elsewhere }: ObservedSandboxes): (text: string) => string {
  const [primary = '', ...others] = [...keysOf(service), ...keysOf(elsewhere)];
  const named = Object.fromEntries(others.map((key, index) => [`key-${index + 2}`, key]));
  return redactorOf({ keys: { primary, ...named }, headers: {} }).text;
}

function requestsAt(
  observed: ObservedSandboxes,
  place: TimelineRequest['place'],
  endedAt: number,
): readonly Omit<TimelineRequest, 'n'>[] {
  const sandbox = place === 'service' ? observed.service : observed.elsewhere;
  const { world } = sandbox?.service ?? observed.service.service;
  const withoutKeys = withoutKeysOf(observed);
  const context = {
    place,
    world,
    serviceKeys: keysOf(observed.service),
    withoutKeys,
    startedAt: observed.startedAt,
    endedAt,
  };
  return (sandbox?.recorder?.requests ?? []).map((sighting) => timelineRequest(sighting, context));
}

/** All that was seen of a caller so far, as a timeline. */
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
  return { ...details, requests, lookups };
}
