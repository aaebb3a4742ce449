import type { SeenLook, SeenRequest, Timeline, WorkspaceState } from './timeline.ts';

function isAbout({ about }: SeenLook, { idempotencyKey, requestId }: SeenRequest): boolean {
  return about === undefined || about === idempotencyKey || about === requestId;
}

/** The looks into the workspace that showed a request, from when its caller could know what it met. */
export function looksAt({ looks }: Timeline, request: SeenRequest, before = Infinity): readonly SeenLook[] {
  const { knownAt } = request;
  if (knownAt === undefined) return [];
  return looks.filter((look) => look.at > knownAt && look.at < before && isAbout(look, request));
}

/** What a look showed of a request. */
export function stateShown({ states }: SeenLook, { idempotencyKey, requestId }: SeenRequest): WorkspaceState {
  return states.get(requestId) ?? states.get(idempotencyKey ?? '') ?? 'absent';
}
