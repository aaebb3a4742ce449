import type { WorkspaceLookup, TimelineRequest, Timeline, WorkspaceState } from './timeline.ts';

function isAbout({ about }: WorkspaceLookup, { idempotencyKey, requestId }: TimelineRequest): boolean {
  return about === undefined || about === idempotencyKey || about === requestId;
}

/** The looks into the workspace that showed a request, from when its caller could know what it met. */
export function lookupsAfterOutcome(
  timeline: Timeline,
  request: TimelineRequest,
  before = Infinity,
): readonly WorkspaceLookup[] {
  const { knownAt = Infinity } = request;
  return lookupsBetween(timeline, request, knownAt, before);
}

/** The same of a while, whatever its caller could know: it may have given up where nothing shows it. */
export function lookupsBetween(
  { lookups: looks }: Timeline,
  request: TimelineRequest,
  after: number,
  before = Infinity,
): readonly WorkspaceLookup[] {
  return looks.filter((look) => look.at > after && look.at < before && isAbout(look, request));
}

/** What a look showed of a request. */
export function stateShown(
  { states }: WorkspaceLookup,
  { idempotencyKey, requestId }: TimelineRequest,
): WorkspaceState {
  return states.get(requestId) ?? states.get(idempotencyKey ?? '') ?? 'absent';
}
