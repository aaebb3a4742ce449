/** What runtimes write when nothing caught an error, by language. */
const SIGNS: readonly RegExp[] = [
  /^Node\.js v\d+/m,
  /^Traceback \(most recent call last\):/m,
  /^panic: .*\n[^]*^goroutine \d+ /m,
  /^Exception in thread "/m,
  /^thread '.*' .*panicked at /m,
  /^Unhandled exception\. /m,
  /^PHP Fatal error: {2}Uncaught /m,
  /^error: Uncaught /m,
  /:\d+:in ['`].*': .* \([\w:]*(?:Error|Exception)\)$/m,
];

/** Whether a process wrote that an error of its own ended it. */
export function saysItCrashed(output: string): boolean {
  return SIGNS.some((sign) => sign.test(output));
}
