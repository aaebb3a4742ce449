import type { WorkspaceRequest } from '../model/deployment.ts';

/** What a workspace shows of some requests, in a phrase for people. */
export function describeWorkspaceRequests(records: readonly WorkspaceRequest[]): string {
  return records.length === 0 ? 'none' : records.map(showRecord).join(', ');
}

function showRecord({ state, reservation, debit }: WorkspaceRequest): string {
  const held = reservation === null ? 'no reservation' : `reservation ${reservation.state}`;
  return `${state} (${held}, ${debit === null ? 'no debit' : `debit ${debit}`})`;
}
