/** Where the first so many events of an event stream end, their blank lines included; comments are no events. */
export function endOfEvents(stream: string, events: number): number {
  const blocks = stream.matchAll(/(?<block>[^]*?)(?:\r\n\r\n|\n\n)/g);
  let end = 0;
  let seen = 0;
  for (const { 0: whole, groups } of blocks) {
    if (seen === events) return end;
    end += whole.length;
    if (groups?.['block']?.startsWith(':') !== true) seen += 1;
  }
  return end;
}
