import type { SeenLook, SeenRequest, Timeline, WorkspaceState } from './timeline.ts';

function isAbout({ about }: SeenLook, { idempotencyKey, requestId }: SeenRequest): boolean {
  return about === undefined || about === idempotencyKey || about === requestId;
}

/** The looks into the workspace that showed a request, from when its caller could know what it met. */
export function looksAt(timeline: Timeline, request: SeenRequest, before = Infinity): readonly SeenLook[] {
  const { knownAt = Infinity } = request;
  return looksBetween(timeline, request, knownAt, before);
}

/** The same of a while, whatever its caller could know: it may have given up where nothing shows it. */
export function looksBetween(
  { looks }: Timeline,
  request: SeenRequest,
  after: number,
  before = Infinity,
): readonly SeenLook[] {
  return looks.filter((look) => look.at > after && look.at < before && isAbout(look, request));
}

/** What a look showed of a request. */
export function stateShown({ states }: SeenLook, { idempotencyKey, requestId }: SeenRequest): WorkspaceState {
  return states.get(requestId) ?? states.get(idempotencyKey ?? '') ?? 'absent';
}
