import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parsed } from '../input/input-error.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { EVENT_OPERATION } from './event-stream.ts';
import { ControlError, refusing } from './guard.ts';
import { JOURNAL_OPERATIONS } from './journal-operations.ts';
import { OPEN_API_OPERATION } from './open-api.ts';
import type { Operation } from './operation.ts';
import { RULE_OPERATIONS } from './rule-operations.ts';
import { WORKSPACE_OPERATIONS } from './workspace-operations.ts';
import { SANDBOX_OPERATIONS, WORLD_OPERATIONS } from './world-operations.ts';

export const OPERATIONS: readonly Operation[] = [
  ...SANDBOX_OPERATIONS,
  ...WORLD_OPERATIONS,
  ...RULE_OPERATIONS,
  ...WORKSPACE_OPERATIONS,
  ...JOURNAL_OPERATIONS,
  EVENT_OPERATION,
  OPEN_API_OPERATION,
];

export interface Controlled {
  readonly sandboxes: Sandboxes;
  /** Operations beyond those of every control API. */
  readonly operations: readonly Operation[];
}

export interface ControlAnswer {
  readonly status: number;
  /** Undefined: the answer has no body. */
  readonly body?: unknown;
}

/** Runs the operation of a request. If it throws a ControlError, it has changed nothing. */
export async function dispatch(
  { sandboxes, operations: further }: Controlled,
  message: IncomingMessage,
  { body, signal }: { readonly body: Buffer; readonly signal: AbortSignal },
): Promise<ControlAnswer> {
  const { method = '', url = '', headers } = message;
  const [path = '', search = ''] = url.slice('/control'.length).split(/\?(.*)/s);
  const operations = [...OPERATIONS, ...further];
  const { operation, sandbox: id, named } = findOperation(operations, method, path);
  const sandbox = id === null ? sandboxes.front : sandboxes.get(id);
  if (sandbox === undefined) throw new ControlError(404, 'unknown_sandbox', 'There is no such sandbox');
  const given = bodyOf(operation, body);
  const query = queryOf(search);
  // A read that finds nothing is recorded too. What the inspector reads is no lookup of a caller.
  if (headers['sec-fetch-site'] === undefined)
    sandbox.recorder?.saw({
      operation: operation.name,
      about: named || (query['idempotencyKey'] ?? query['requestId'] ?? null),
      entries: sandbox.service.ledger.entries(),
    });
  const about = { sandboxes, sandbox, message, named, operations, signal };
  const asked = refusing(() => parsed(operation.query, query), { at: 'query' });
  const answer: unknown = await refusing(() =>
    operation.run({ ...about, query: asked, body: parsed(operation.body, given) }),
  );
  if (operation.method !== 'GET') sandboxes.worldsChanged();
  return { status: answer === undefined ? 204 : operation.status, body: answer };
}

/** @throws {ControlError} Given a parameter twice: whoever sent it may mean either. */
function queryOf(search: string): Record<string, string> {
  const given = new URLSearchParams(search);
  const twice = [...given.keys()].find((name) => given.getAll(name).length > 1);
  if (twice === undefined) return Object.fromEntries(given);
  const place = `query/${twice}`;
  throw new ControlError(400, 'invalid_value', `${place}: given more than once`, place);
}

/** An empty body is an empty object, to which every default applies. */
function bodyOf({ takesText }: Operation, body: Buffer): unknown {
  if (!isUtf8(body)) throw notJson('not UTF-8');
  const text = body.toString();
  if (text === '') return {};
  if (takesText === true && !/^\s*(?:[[{"]|$)/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(error instanceof SyntaxError ? error.message : 'unreadable');
  }
}

function notJson(reason: string): ControlError {
  return new ControlError(400, 'invalid_json', `The body is not JSON: ${reason}`, '');
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

/**
 * The operation for a method and a path below `/control`, the ID of its sandbox (null: the mock itself), and the value of
 * the path parameter. Throws `not_found`, or `method_not_allowed` with the methods of the path.
 */
export function findOperation(operations: readonly Operation[], method: string, path: string) {
  const found = operations.flatMap((operation) => {
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
