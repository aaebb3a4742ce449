/** What the command answers. */
export function writeLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What the command says beside its answer: progress, warnings, errors. */
export function noteLine(text: string): void {
  process.stderr.write(`${text}\n`);
}
