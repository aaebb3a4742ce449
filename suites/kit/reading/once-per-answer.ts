import type { Answer } from '../exchange.ts';

/** Makes a reader that reads each answer once for each context, however many judgements ask. */
export function oncePerAnswer<C extends object, T>(
  read: (answer: Answer, context: C) => T,
): (answer: Answer, context: C) => T {
  const byContext = new WeakMap<C, WeakMap<Answer, { readonly value: T }>>();
  return (answer, context) => {
    const known = byContext.get(context) ?? new WeakMap<Answer, { readonly value: T }>();
    byContext.set(context, known);
    const reading = known.get(answer) ?? { value: read(answer, context) };
    known.set(answer, reading);
    return reading.value;
  };
}
