/** When this process was started with a channel to its parent, ends it (as SIGTERM does) once the parent is gone. */
export function stopWithParent(): void {
  if (process.channel === undefined) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
