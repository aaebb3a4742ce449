import type { Deployment, WorkspaceRequest } from '../model/deployment.ts';
import { pollUntil } from './poll-until.ts';

/**
 * The requests with an Idempotency-Key once the workspace shows one and none is running any more, or what it shows
 * when patience ends.
 */
export function waitForSettledRequests(
  { requests, patienceMs }: Deployment,
  idempotencyKey: string,
): Promise<readonly WorkspaceRequest[]> {
  return pollUntil(() => requests(idempotencyKey), isSettled, patienceMs);
}

function isSettled(records: readonly WorkspaceRequest[]): boolean {
  return records.length > 0 && records.every(({ state }) => state !== 'running');
}
