/** Names and values of headers in turn: none, or Retry-After as `retry_after` of a rule has it. */
export function retryAfterHeader(
  asked: string | number | null,
  now: number,
  seconds: number,
): readonly string[] {
  if (asked === null || asked === 'absent') return [];
  return ['retry-after', valueOf(asked, now, seconds)];
}

function valueOf(asked: string | number, now: number, seconds: number): string {
  if (asked === 'date') return new Date(now + seconds * 1000).toUTCString();
  return asked === 'nonsense' ? 'in a while' : String(asked);
}
