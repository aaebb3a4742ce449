import type { Look } from '../../mock-server/sandboxes/witness.ts';
import type { SeenLook, WorkspaceState } from '../../suites/caller/timeline.ts';

/** The operations of the control API that tell what became of requests. */
const LOOKS = new Set(['listRequests', 'readRequest', 'readHistory', 'readWorkspace', 'readJournal']);

function statesOf({ entries }: Look): ReadonlyMap<string, WorkspaceState> {
  return new Map(
    entries.flatMap(({ requestId, idempotencyKey, state }): [string, WorkspaceState][] => [
      [requestId, state],
      ...(idempotencyKey === null ? [] : [[idempotencyKey, state] as [string, WorkspaceState]]),
    ]),
  );
}

/** The looks into a workspace in the judge's words; `began` is when the watch did. */
export function seeLooks(looks: readonly Look[], began: number): readonly SeenLook[] {
  return looks
    .filter(({ operation }) => LOOKS.has(operation))
    .map((look) => ({ at: look.at - began, about: look.about ?? undefined, states: statesOf(look) }));
}
