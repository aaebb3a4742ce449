/** What the command answers. */
export function writeLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What the command says beside its answer: progress, warnings, errors. */
export function noteLine(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A word as a POSIX shell reads it back. */
export function quoted(word: string): string {
  return /^[\w./:=,@+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
