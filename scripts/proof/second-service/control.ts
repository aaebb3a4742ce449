import type { Faults } from './faults.ts';
import type { Json } from './json.ts';
import type { Reply } from './reply.ts';
import type { Workspace } from './workspace.ts';

type Operation = (url: URL, body: Buffer) => Json | undefined;

/** The control protocol: six requests below a control URL, by method and path. */
export function controlOf(
  faults: Faults,
  workspace: Workspace,
): (method: string, url: URL, body: Buffer) => Reply {
  const operations: Readonly<Record<string, Operation>> = {
    'PUT /faults': (_, body) => (faults.arm(JSON.parse(body.toString())) ? {} : undefined),
    'GET /faults': () => faults.shown(),
    'DELETE /faults': () => (faults.arm([]) ? {} : undefined),
    'GET /requests': ({ searchParams }) => ({
      requests: workspace.requestsOf(searchParams.get('idempotencyKey')),
    }),
    'GET /workspace': () => ({ keys: { primary: workspace.balance() } }),
  };
  return (method, url, body) => {
    const [, requestId] = /^\/requests\/([^/]+)\/resolution$/.exec(url.pathname) ?? [];
    if (requestId !== undefined)
      return replyOf(workspace.fail(decodeURIComponent(requestId)) ? {} : undefined, 409);
    const operation = operations[`${method} ${url.pathname}`];
    return operation === undefined ? replyOf(undefined, 404) : replyOf(operation(url, body), 400);
  };
}

function replyOf(value: Json | undefined, status: number): Reply {
  const type = 'application/json';
  if (value !== undefined) return { status: 200, type, body: JSON.stringify(value) };
  return { status, type, body: JSON.stringify({ error: { message: 'that cannot be done' } }) };
}
