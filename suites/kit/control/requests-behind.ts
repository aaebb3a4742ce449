import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Exchange } from '../model/exchange.ts';
import { isSuccess } from '../reading/answers.ts';
import type { Deployment, WorkspaceRequest } from '../model/deployment.ts';
import { waitForSettledRequests } from './settled-requests.ts';

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
