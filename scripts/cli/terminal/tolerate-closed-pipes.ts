function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** A reader that has seen enough, as in `list | head`, is no failure: what is left is written to nobody. */
export function tolerateClosedPipes(): void {
  process.stdout.on('error', unlessClosed);
  process.stderr.on('error', unlessClosed);
}
