import type { IncomingMessage, ServerResponse } from 'node:http';
import { isToken } from '../../../mock-server/control/guard.ts';
import { isForeignHost, isLoopback } from '../../../mock-server/protocol/loopback.ts';
import { headerIn } from '../../proxy/hop-by-hop.ts';

/** Outside every base URL, which ends in /v1 (CALL-7): no request for the service has this path. */
export const CONTROL_PATH = '/__conformance';

/** Answers GET on the control path with a report; returns false for every other path. */
export function controlAt(
  report: () => Promise<string>,
  token: string | undefined,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    if (request.url?.split('?', 1)[0] !== CONTROL_PATH) return false;
    void answered(request, response, report, token);
    return true;
  };
}

async function answered(
  request: IncomingMessage,
  response: ServerResponse,
  report: () => Promise<string>,
  token: string | undefined,
): Promise<void> {
  request.resume();
  if (!isPermitted(request, token)) return ended(response, 403, problem(token));
  if (request.method !== 'GET') return ended(response, 405, 'only GET reads the verdicts');
  try {
    ended(response, 200, await report(), 'application/json');
  } catch (error) {
    ended(response, 500, `internal error: ${String(error)}`);
  }
}

function ended(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response
    .writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' })
    .end(`${text}\n`);
}

function problem(token: string | undefined): string {
  return token === undefined
    ? 'the verdicts are for this machine only, unless the proxy is given a token: see docs/proxy.md'
    : 'the verdicts need the token: Authorization: Bearer …';
}

function isPermitted({ socket, rawHeaders }: IncomingMessage, token: string | undefined): boolean {
  if (token !== undefined) return isToken(headerIn(rawHeaders, 'authorization'), token);
  const from = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return isLoopback(from) && !isForeignHost(headerIn(rawHeaders, 'host'));
}
