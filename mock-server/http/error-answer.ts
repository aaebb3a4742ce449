import type { Answer } from '../protocol/answer.ts';
import { type ServiceError, type Step, ERROR_TABLE } from '../protocol/service-error.ts';
import type { World } from '../world/world-schema.ts';

const LONGEST_NAME = 48;
const LONGEST_POINTER = 160;

/**
 * The error object of a refusal (ERR-1): code, message and request ID, in the shape of the world. The message gives the
 * wrong place as a JSON pointer. It contains no key of the world.
 */
export function errorAnswer(world: World, requestId: string, error: ServiceError): Answer {
  const { shape, requestIdField, overrides } = world.choices.errors;
  const { code = error.kind, status = ERROR_TABLE[error.kind][0] } = overrides[error.kind] ?? {};
  const items = { code, message: message(world, error), [requestIdField]: requestId };
  const body = JSON.stringify(shape === 'nested' ? { error: items } : items);
  const headers = error.particulars.headers ?? [];
  return { status, requestId, contentType: 'application/json', body, headers };
}

function message(world: World, { kind, particulars }: ServiceError): string {
  const { detail, path } = particulars;
  const place = path === undefined ? '' : `At ${pointer(world, path)}: `;
  return `${place}${detail === undefined ? '' : `${detail}. `}${ERROR_TABLE[kind][1]}`;
}

/** RFC 6901. The empty pointer, which is the whole body, is written in words. */
function pointer(world: World, path: readonly Step[]): string {
  if (path.length === 0) return 'the root of the body';
  const whole = path.map((step) => `/${shown(world, String(step))}`).join('');
  return cut(whole, LONGEST_POINTER);
}

function shown(world: World, name: string): string {
  const safe = world.keys.reduce((text, { key }) => text.replaceAll(key, '(a key)'), name);
  return cut(safe, LONGEST_NAME).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** At most so many code units. Half a surrogate pair becomes U+FFFD. */
function cut(text: string, longest: number): string {
  return (text.length > longest ? `${text.slice(0, longest)}…` : text).toWellFormed();
}
