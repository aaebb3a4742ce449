import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { HEADERS } from '../../../fixtures/chats/chat.ts';
import type { Balance, Deployment, WorkspaceRequest } from '../model/deployment.ts';
import type { Exchange } from '../model/exchange.ts';
import { isSuccess } from '../reading/answers.ts';
import { ControlError } from './control-connection.ts';

/** The requests that the workspace shows for an exchange: immediately if refused, else once settled. */
export async function workspaceRequestsOf(deployment: Deployment, { request, outcome }: Exchange) {
  const key = request.headers[HEADERS.idempotencyKey];
  if (key === undefined || outcome.kind === 'not-sent') return [];
  const isRefused = outcome.kind === 'answered' && !isSuccess(outcome.answer);
  return isRefused ? deployment.requests(key) : settledRequests(deployment, key);
}

/** Waits until the workspace shows a request with this Idempotency-Key, and none that is running. */
export async function settledRequests({ requests, patienceMs }: Deployment, idempotencyKey: string) {
  return pollUntil(() => requests(idempotencyKey), areSettled, patienceMs);
}

/** Whether there are any, and none of them runs. */
export function areSettled(requests: readonly WorkspaceRequest[]): boolean {
  return requests.length > 0 && requests.every(({ state }) => state !== 'running');
}

/**
 * Waits until two reads in a row return the same balance: otherwise something else uses the workspace.
 * @throws {ControlError} When it never is.
 */
export async function stableBalance({ balance, patienceMs }: Deployment): Promise<Balance> {
  let last = await balance();
  const isSameAgain = async (): Promise<boolean> => {
    const before = last;
    last = await balance();
    return isDeepStrictEqual(last, before);
  };
  if (await pollUntil(isSameAgain, Boolean, patienceMs)) return last;
  throw new ControlError('not-done', 'the balance kept changing: another client uses this workspace');
}

const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

/** Reads again, with ever longer pauses, until `isWanted` accepts the value. Returns the last value after `patienceMs`. */
export async function pollUntil<Value>(
  read: () => Promise<Value>,
  isWanted: (value: Value) => boolean,
  patienceMs: number,
): Promise<Value> {
  const until = performance.now() + patienceMs;
  for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const value = await read();
    if (isWanted(value) || performance.now() + pause > until) return value;
    await wait(pause);
  }
}

/** A phrase such as `1 request: succeeded (reservation consumed, debit 12)`, or `no request`. */
export function describeWorkspaceRequests(requests: readonly WorkspaceRequest[]): string {
  if (requests.length === 0) return 'no request';
  const count = requests.length === 1 ? '1 request' : `${requests.length} requests`;
  return `${count}: ${requests.map(describeRequest).join(', ')}`;
}

/** Why nothing is known of a request that the workspace does not show. */
export function describeUnseen(request: string): string {
  return `the workspace does not show ${request}: a replica other than that of the control URL may have served it`;
}

function describeRequest({ state, reservation, debit }: WorkspaceRequest): string {
  const held = reservation === null ? 'no reservation' : `reservation ${reservation.state}`;
  return `${state} (${held}, ${debit === null ? 'no debit' : `debit ${debit}`})`;
}
