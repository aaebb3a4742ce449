/**
 * A text as one word. In single quotes only fish reads a backslash: one before a backslash or at the end of the quotes
 * stands in double quotes instead.
 */
export function shellText(text: string): string {
  const inside = text.replaceAll(/'|\\(?=[\\']|$)/g, (each) =>
    each === "'" ? String.raw`'\''` : String.raw`'"\\"'`,
  );
  return `'${inside}'`;
}

/** The same, and as it is where every shell reads it so. */
export function shellWord(text: string): string {
  return /^[\w./:=,@+-]+$/.test(text) ? text : shellText(text);
}
