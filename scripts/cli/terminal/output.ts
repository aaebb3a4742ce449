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

function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** A reader that closes the pipe, as in `list | head`, is no failure: the rest is dropped. */
export function tolerateClosedPipes(): void {
  process.stdout.on('error', unlessClosed);
  process.stderr.on('error', unlessClosed);
}
