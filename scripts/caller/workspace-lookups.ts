import type { WorkspaceRead } from '../../mock-server/journal/request-recorder.ts';
import type { WorkspaceLookup, WorkspaceState } from '../../suites/caller/timeline.ts';

/** The operations of the control API that tell what became of requests. */
const LOOKS = new Set(['listRequests', 'readRequest', 'readHistory', 'readWorkspace', 'readJournal']);

function statesOf({ entries }: WorkspaceRead): ReadonlyMap<string, WorkspaceState> {
  return new Map(
    entries.flatMap(({ requestId, idempotencyKey, state }): [string, WorkspaceState][] => [
      [requestId, state],
      ...(idempotencyKey === null ? [] : [[idempotencyKey, state] as [string, WorkspaceState]]),
    ]),
  );
}

/** The looks into a workspace in the judge's words; `startedAt` is when the watch did. */
export function workspaceLookups(
  looks: readonly WorkspaceRead[],
  startedAt: number,
): readonly WorkspaceLookup[] {
  return looks
    .filter(({ operation }) => LOOKS.has(operation))
    .map((look) => ({ at: look.at - startedAt, about: look.about ?? undefined, states: statesOf(look) }));
}
