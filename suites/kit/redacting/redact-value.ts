/** Every string of a JSON value, names of members included, as `redact` gives it; its structure stays as it is. */
export function redactDeeply<V>(value: V, redact: (text: string) => string): V;
export function redactDeeply(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeeply(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redact(name), redactDeeply(item, redact)]),
  );
}
