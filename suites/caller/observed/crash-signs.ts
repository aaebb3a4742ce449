/** What runtimes write about an uncaught error, by language. */
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

/** Whether the output shows that an uncaught error ended the process. */
export function saysItCrashed(output: string): boolean {
  return SIGNS.some((sign) => sign.test(output));
}

/** How runtimes name the error of a parser, or of a program that relied on a missing value. */
const READING_ERRORS =
  /SyntaxError|JSONDecodeError|JsonException|JsonParseException|JSON::ParserError|invalid character .* looking for|not valid JSON|unexpected end of JSON|TypeError|AttributeError|KeyError|NullPointerException|NullReferenceException|nil pointer|NoMethodError/i;

/** Where Python and Node begin to report the uncaught error: errors before it may have been caught. */
const BEGINNINGS = /^Traceback \(most recent call last\):|^\s*\^+$/gm;

/** Where other runtimes go on to the cause of that error. */
const CAUSE = /\[cause\]: |^Caused by: |^ *---> /m;

/** Ruby reports the cause last, like the error itself; PHP reports the cause first. */
const RUBY = /^\S*:\d+:in ['`].*': .* \([\w:]+\)$/m;
const PHP_NEXT = /^Next .*$/gm;

/** The report of the error that ended the process, without its cause. */
function lastError(output: string): string {
  const begins = [...output.matchAll(BEGINNINGS)].at(-1);
  if (begins !== undefined) {
    // Indented lines are source text and stack frames.
    const lines = output.slice(begins.index + begins[0].length).split('\n');
    const named = lines.find((line) => /^\S/.test(line));
    if (named !== undefined) return named;
  }
  const reported = RUBY.exec(output) ?? [...output.matchAll(PHP_NEXT)].at(-1);
  if (reported !== undefined) return reported[0];
  return output.split(CAUSE, 1)[0] ?? output;
}

/** Whether a crash is about what the process read, and not a failure that it raised on purpose. */
export function saysItMisread(output: string): boolean {
  return READING_ERRORS.test(lastError(output));
}
