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

/** How runtimes name an error of a parser, or of a program that took for granted what was not there. */
const MISREADINGS =
  /SyntaxError|JSONDecodeError|JsonException|JsonParseException|JSON::ParserError|invalid character .* looking for|not valid JSON|unexpected end of JSON|TypeError|AttributeError|KeyError|NullPointerException|NullReferenceException|nil pointer|NoMethodError/i;

/** Where Python's and Node's word of the error that nothing caught begins: what stands before may have been caught. */
const BEGINNINGS = /^Traceback \(most recent call last\):|^\s*\^+$/gm;

/** Where other runtimes go on to what caused that error. */
const CAUSE = /\[cause\]: |^Caused by: |^ *---> /m;

/** Ruby tells of the cause last, and as of the error itself; PHP tells of the cause first. */
const RUBY = /^\S*:\d+:in ['`].*': .* \([\w:]+\)$/m;
const PHP_NEXT = /^Next .*$/gm;

/** What a runtime wrote of the error that ended it, without what that error was made of. */
function lastError(output: string): string {
  const begins = [...output.matchAll(BEGINNINGS)].at(-1);
  if (begins !== undefined) {
    // What is indented is source text and where it was called from.
    const lines = output.slice(begins.index + begins[0].length).split('\n');
    const named = lines.find((line) => /^\S/.test(line));
    if (named !== undefined) return named;
  }
  const told = RUBY.exec(output) ?? [...output.matchAll(PHP_NEXT)].at(-1);
  if (told !== undefined) return told[0];
  return output.split(CAUSE, 1)[0] ?? output;
}

/** Whether a crash is one over what was read, and no failure that was passed on on purpose and caught nowhere. */
export function saysItMisread(output: string): boolean {
  return MISREADINGS.test(lastError(output));
}
