/** Makes a reader that reads each thing once for each context, however many judgements ask. */
export function readOnce<S extends object, C extends object, T>(
  read: (subject: S, context: C) => T,
): (subject: S, context: C) => T {
  const byContext = new WeakMap<C, WeakMap<S, { readonly value: T }>>();
  return (subject, context) => {
    const known = byContext.get(context) ?? new WeakMap<S, { readonly value: T }>();
    byContext.set(context, known);
    const reading = known.get(subject) ?? { value: read(subject, context) };
    known.set(subject, reading);
    return reading.value;
  };
}
