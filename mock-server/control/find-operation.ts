import { ControlError } from './control-error.ts';
import type { Operation } from './operation.ts';

export interface Found {
  readonly operation: Operation;
  /** The ID of the sandbox it is about; null: the mock itself. */
  readonly sandbox: string | null;
  /** What stands in place of the braces. */
  readonly named: string;
}

/** `/a/{b}` and `/a/x` agree; what stood in place of the braces, or an empty text; null where they do not. */
function match(template: string, path: readonly string[]): string | null {
  const steps = template.split('/').slice(1);
  if (steps.length !== path.length) return null;
  let named = '';
  for (const [index, step] of steps.entries()) {
    const given = path[index] ?? '';
    if (step.startsWith('{') && given !== '') named = given;
    else if (step !== given) return null;
  }
  return named;
}

/** Every method of a path; what is about a world is below `/sandboxes/{id}` too. */
function candidates(operations: readonly Operation[], path: readonly string[]): readonly Found[] {
  const [first, id, ...rest] = path;
  const sandbox = first === 'sandboxes' && id !== undefined ? id : null;
  return operations.flatMap((operation) => {
    const inside = operation.about === 'world' ? sandbox : null;
    const named = match(operation.path, inside === null ? path : rest);
    return named === null ? [] : [{ operation, sandbox: inside, named }];
  });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ControlError(400, 'invalid_path', 'The path is not percent-encoded UTF-8', 'path');
  }
}

/**
 * The operation for a method and the path below `/control`, from its slash on. Throws `not_found`, or
 * `method_not_allowed` with the methods that there are.
 */
export function findOperation(operations: readonly Operation[], method: string, path: string): Found {
  const found = candidates(operations, path.split('/').slice(1).map(decoded));
  const first = found.find(({ operation }) => operation.method === method);
  if (first !== undefined) return first;
  if (found.length === 0)
    throw new ControlError(404, 'not_found', 'Nothing is at this path: see /control/openapi.json', 'path');
  const methods = found.map(({ operation }) => operation.method).join(', ');
  throw new ControlError(405, 'method_not_allowed', `The methods of this path are ${methods}`, 'method');
}
