const BLOCK = /(?<block>[^]*?)(?:\r\n\r\n|\n\n)/g;

interface EventPlace {
  readonly start: number;
  /** After its blank line. */
  readonly end: number;
}

/** The events of an event stream. Comments do not count as events. */
export function eventPlaces(stream: string): readonly EventPlace[] {
  return [...stream.matchAll(BLOCK)].flatMap(({ 0: whole, groups, index }) =>
    isComment(groups) ? [] : [{ start: index, end: index + whole.length }],
  );
}

/** Where the first so many events of an event stream end, with their blank lines. Comments do not count as events. */
export function endOfEvents(stream: string, events: number): number {
  let end = 0;
  let seen = 0;
  for (const { 0: whole, groups } of stream.matchAll(BLOCK)) {
    if (seen === events) return end;
    end += whole.length;
    if (!isComment(groups)) seen += 1;
  }
  return end;
}

function isComment(groups: Readonly<Record<string, string>> | undefined): boolean {
  return groups?.['block']?.startsWith(':') === true;
}

/** The size of each next piece, so that it ends inside a character of several bytes; a body of ASCII has two halves. */
export function splitsCharacter(body: string): (rest: string) => number {
  const half = Math.ceil(body.length / 2);
  if (!/[\u0080-\u00ff]/.test(body)) return () => half;
  return (rest) => {
    const found = rest.search(/[\u00c0-\u00ff][\u0080-\u00bf]/);
    return found === -1 ? rest.length : found + 1;
  };
}
