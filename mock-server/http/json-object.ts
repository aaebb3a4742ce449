import { ServiceError, type Step } from '../endpoints/service-error.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object. Throws `invalid_value` for anything else, null and arrays among it. */
export function asObject(value: unknown, path: readonly Step[]): JsonObject {
  if (isObject(value)) return value;
  throw new ServiceError('invalid_value', { path, detail: 'An object is needed here' });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws `unknown_field` for the first own name that is not among the known: `__proto__` is a name like any other. */
export function refuseOthers(object: JsonObject, known: ReadonlySet<string>, path: readonly Step[]): void {
  for (const name of Object.keys(object)) {
    if (!known.has(name)) throw new ServiceError('unknown_field', { path: [...path, name] });
  }
}

/** The field's value. Throws `missing_field` where the object itself has none: null is a value, what is inherited is none. */
export function requireField(object: JsonObject, name: string, path: readonly Step[]): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  throw new ServiceError('missing_field', { path: [...path, name] });
}
