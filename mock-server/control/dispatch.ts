import { ControlError } from './control-error.ts';
import { findOperation } from './find-operation.ts';
import type { Call, Operation } from './operation.ts';
import { operationsWith } from './operations.ts';

/** A control request whose bytes have come. */
export interface ControlRequest extends Pick<Call, 'sandboxes' | 'origin' | 'signal'> {
  readonly method: string;
  /** Path and query below `/control`. */
  readonly url: string;
  readonly body: Buffer;
  /** What is done besides what every control API does. */
  readonly operations: readonly Operation[];
}

export interface ControlAnswer {
  readonly status: number;
  /** Undefined: none. */
  readonly body?: unknown;
}

/** Does what is asked. Throws a ControlError for what cannot be done, and has then done nothing. */
export async function dispatch(request: ControlRequest): Promise<ControlAnswer> {
  const { sandboxes, origin, signal, method, url } = request;
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const { operation, sandbox: id, named } = findOperation(operationsWith(request.operations), method, path);
  const sandbox = id === null ? sandboxes.root : sandboxes.get(id);
  if (sandbox === undefined) throw new ControlError(404, 'unknown_sandbox', 'There is no such sandbox');
  const read = { query: readQuery(query), body: readJson(request.body) };
  // What is not found was looked for all the same.
  sandbox.witness?.looked(operation.name, named, read.query, sandbox.service.ledger);
  const body = await operation.run({ sandboxes, sandbox, origin, signal, named, ...read });
  return { status: operation.status, body };
}

function readQuery(text: string): Record<string, string> {
  const pairs = [...new URLSearchParams(text)];
  const repeated = pairs.find(([name], index) => pairs.findIndex(([other]) => other === name) !== index);
  if (repeated === undefined) return Object.fromEntries(pairs);
  throw new ControlError(400, 'invalid_value', 'A parameter is given twice', `query/${repeated[0]}`);
}

/** No body at all is an empty object, to which every default applies. */
function readJson(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'not UTF-8';
    throw new ControlError(400, 'invalid_json', `The body is not JSON: ${reason}`, '');
  }
}
