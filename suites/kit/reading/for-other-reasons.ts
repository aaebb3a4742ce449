/** By the convention: no credit left, and too many requests. */
const STATUSES: ReadonlySet<number> = new Set([402, 429]);

/** Whether a refusal of this status says nothing of the request itself. */
export function isForOtherReasons(status: number): boolean {
  return STATUSES.has(status);
}
