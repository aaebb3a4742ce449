/** Runtimes report an uncaught error at the end: so many characters of the output are read, line by line. */
const LAST = 20_000;

/** What runtimes write about an uncaught error, by language. */
const SIGNS: readonly RegExp[] = [
  /^Node\.js v\d+/,
  /^Traceback \(most recent call last\):/,
  /^Exception in thread "/,
  /^thread '.*panicked at /,
  /^Unhandled exception\. /,
  /^PHP Fatal error: {2}Uncaught /,
  /^error: Uncaught /,
  /^goroutine \d+ \[running\]:/,
  // file.rb:3:in 'method': message (KeyError)
  /:\d+:in ['`].* \([A-Z][\w:]*\)$/,
];

function lastLines(output: string): readonly string[] {
  return output.slice(-LAST).split('\n');
}

function isSign(line: string): boolean {
  return SIGNS.some((sign) => sign.test(line));
}

/** Whether the output shows that an uncaught error ended the process. */
export function saysItCrashed(output: string): boolean {
  return lastLines(output).some(isSign);
}

/** How runtimes name the error of a parser, or of a program that relied on a missing value. PHP may name the cause. */
const READING_ERRORS =
  /SyntaxError|JSONDecodeError|\.JsonException|JsonParseException|JSON::ParserError|TypeError|AttributeError|KeyError|NullPointerException|NullReferenceException|NoMethodError/;

/** Where Python and Node begin to report the uncaught error: errors before may have been caught. */
const BEGINNING = /^Traceback \(most recent call last\):|^\s*\^+$/;

/** Whether a crash is about what the process read, and not a failure that it raised on purpose, whatever its cause. */
export function saysItMisread(output: string): boolean {
  const lines = lastLines(output);
  const begins = lines.findLastIndex((line) => BEGINNING.test(line));
  // Indented lines are source text and stack frames. Other runtimes name the error where they say that they crash.
  const report = lines.slice(begins + 1);
  const named = begins === -1 ? report.find(isSign) : report.find((line) => /^\S/.test(line));
  return named !== undefined && READING_ERRORS.test(named);
}
