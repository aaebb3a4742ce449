import { setTimeout as wait } from 'node:timers/promises';
import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Exchange } from '../model/exchange.ts';
import { isSuccess } from '../reading/answers.ts';
import type { Deployment, WorkspaceRequest, Balance } from '../model/deployment.ts';
import { ControlError } from './control-connection.ts';

/** What the workspace shows of an exchange: at once for one that was refused, else once it has settled. */
export async function workspaceRequestsOf(
  deployment: Deployment,
  { request, outcome }: Exchange,
): Promise<readonly WorkspaceRequest[]> {
  const key = request.headers[HEADERS.idempotencyKey];
  if (key === undefined || outcome.kind === 'not-sent') return [];
  const isRefused = outcome.kind === 'answered' && !isSuccess(outcome.answer);
  return isRefused ? deployment.requests(key) : waitForSettledRequests(deployment, key);
}

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

/** The balance once it is the same twice in a row: until then something else is under way in the workspace. */
export async function waitForStableBalance({ balance, patienceMs }: Deployment): Promise<Balance> {
  let before = await balance();
  const pair = async (): Promise<readonly [Balance, Balance]> => {
    const earlier = before;
    before = await balance();
    return [earlier, before];
  };
  const [earlier, later] = await pollUntil(pair, ([one, other]) => isSame(one, other), patienceMs);
  if (isSame(earlier, later)) return later;
  throw new ControlError('not-done', 'the workspace never rests: something else uses it too');
}

function isSame(one: Balance, other: Balance): boolean {
  return one.available === other.available && one.held === other.held;
}

const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

/** Reads again and again, ever more slowly, until what was read is as wanted; after `patienceMs` the last reading. */
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

/** What a workspace shows of some requests, in a phrase for people. */
export function describeWorkspaceRequests(records: readonly WorkspaceRequest[]): string {
  return records.length === 0 ? 'none' : records.map(showRecord).join(', ');
}

function showRecord({ state, reservation, debit }: WorkspaceRequest): string {
  const held = reservation === null ? 'no reservation' : `reservation ${reservation.state}`;
  return `${state} (${held}, ${debit === null ? 'no debit' : `debit ${debit}`})`;
}
