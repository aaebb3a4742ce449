import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { EVENT_OPERATIONS } from './event-stream.ts';
import { ControlError, schemeOf } from './guard.ts';
import { JOURNAL_OPERATIONS } from './journal-operations.ts';
import { OPEN_API_OPERATION } from './open-api.ts';
import type { Operation } from './operation.ts';
import { RULE_OPERATIONS } from './rule-operations.ts';
import { WORKSPACE_OPERATIONS } from './workspace-operations.ts';
import { SANDBOX_OPERATIONS, WORLD_OPERATIONS } from './world-operations.ts';

/** The path of the control API. */
const PREFIX = '/control';

export interface Controlled {
  readonly sandboxes: Sandboxes;
  /** Operations beyond those of every control API. */
  readonly operations: readonly Operation[];
}

export interface ControlAnswer {
  readonly status: number;
  /** Undefined: the answer has no body. */
  readonly body?: unknown;
  /** Of a body that comes piece by piece, until the caller disconnects. */
  readonly media?: string | undefined;
}

/** Runs the operation of a request. If it throws a ControlError, it has changed nothing. */
export async function dispatch(
  { sandboxes, operations }: Controlled,
  message: IncomingMessage,
  { body, signal }: { readonly body: Buffer; readonly signal: AbortSignal },
): Promise<ControlAnswer> {
  const { method = '', url = '', headers } = message;
  const [path = '', query = ''] = url.slice(PREFIX.length).split(/\?(.*)/s);
  const all = [...OPERATIONS, ...operations];
  const { operation, sandbox: id, named } = findOperation(all, method, path);
  const sandbox = id === null ? sandboxes.root : sandboxes.get(id);
  if (sandbox === undefined) throw new ControlError(404, 'unknown_sandbox', 'There is no such sandbox');
  if (!isUtf8(body)) throw notJson('not UTF-8');
  const text = body.toString();
  const isText = operation.takesText === true && !/^\s*(?:[[{"]|$)/.test(text);
  const read = { query: readQuery(query), body: isText ? text : readJson(text) };
  // A read that finds nothing is recorded too. What the inspector reads is no lookup of a caller.
  if (headers['sec-fetch-site'] === undefined)
    sandbox.recorder?.recordWorkspaceRead(operation.name, named, read.query, sandbox.service.ledger);
  const lastEventId = [headers['last-event-id']].flat()[0];
  const { socket } = message;
  const about = { sandboxes, sandbox, origin: originOf(message), socket, named, operations: all };
  const answer = await operation.run({ ...about, ...read, signal, lastEventId });
  if (operation.method !== 'GET') sandboxes.feed?.emit('controlled', sandbox.id);
  return { status: operation.status, body: answer, media: operation.media };
}

/** As in the Host header, if that is a valid authority. */
function originOf(message: IncomingMessage): string {
  const { headers, socket } = message;
  const { host } = headers;
  const scheme = schemeOf(message);
  if (host !== undefined && /^[\w.\-:[\]]+$/.test(host)) return `${scheme}://${host}`;
  return `${scheme}://${socket.localAddress}:${socket.localPort}`;
}

function readQuery(text: string): Record<string, string> {
  const pairs = [...new URLSearchParams(text)];
  const repeated = pairs.find(([name], index) => pairs.findIndex(([other]) => other === name) !== index);
  if (repeated === undefined) return Object.fromEntries(pairs);
  throw new ControlError(400, 'invalid_value', 'A parameter is repeated', `query/${repeated[0]}`);
}

/** An empty body is an empty object, to which every default applies. */
function readJson(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(error instanceof SyntaxError ? error.message : 'unreadable');
  }
}

function notJson(reason: string): ControlError {
  return new ControlError(400, 'invalid_json', `The body is not JSON: ${reason}`, '');
}

export interface FoundOperation {
  readonly operation: Operation;
  /** The ID of its sandbox; null: the mock itself. */
  readonly sandbox: string | null;
  /** The value of the path parameter. */
  readonly named: string;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ControlError(400, 'invalid_path', 'The path is not percent-encoded UTF-8', 'path');
  }
}

/** Operations of a world exist below `/sandboxes/{id}` too. */
function patternOf({ about, path }: Operation): RegExp {
  const own = path.replaceAll('.', String.raw`\.`).replace(/\{\w+\}/, '(?<named>[^/]+)');
  return new RegExp(`^${about === 'world' ? '(?:/sandboxes/(?<sandbox>[^/]+))?' : ''}${own}$`);
}

/** The operation for a method and a path below `/control`. Throws `not_found`, or `method_not_allowed` with the methods of the path. */
export function findOperation(
  operations: readonly Operation[],
  method: string,
  path: string,
): FoundOperation {
  const found = operations.flatMap((operation): readonly FoundOperation[] => {
    const match = patternOf(operation).exec(path);
    if (match === null) return [];
    const { sandbox, named = '' } = match.groups ?? {};
    return [{ operation, sandbox: sandbox === undefined ? null : decoded(sandbox), named: decoded(named) }];
  });
  const first = found.find(({ operation }) => operation.method === method);
  if (first !== undefined) return first;
  const methods = found.map(({ operation }) => operation.method).join(', ');
  if (methods !== '')
    throw new ControlError(405, 'method_not_allowed', `The methods of this path are ${methods}`, 'method');
  const problem = 'There is no operation at this path; see /control/openapi.json';
  throw new ControlError(404, 'not_found', problem, 'path');
}

export const OPERATIONS: readonly Operation[] = [
  ...SANDBOX_OPERATIONS,
  ...WORLD_OPERATIONS,
  ...RULE_OPERATIONS,
  ...WORKSPACE_OPERATIONS,
  ...JOURNAL_OPERATIONS,
  ...EVENT_OPERATIONS,
  OPEN_API_OPERATION,
];
