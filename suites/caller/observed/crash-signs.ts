/** Runtimes report an uncaught error at the end: so many characters of the output are read, line by line. */
const LAST = 20_000;

function lastLines(output: string): readonly string[] {
  return output.slice(-LAST).split('\n');
}

/** What runtimes write about an uncaught error, by language. */
const SIGNS: readonly RegExp[] = [
  /^Node\.js v\d+/,
  /^Traceback \(most recent call last\):/,
  /^Exception in thread "/,
  /^thread '.*panicked at /,
  /^Unhandled exception\. /,
  /^PHP Fatal error: {2}Uncaught /,
  /^error: Uncaught /,
];
const RUBYS_ERROR = /(?:Error|Exception)\)$/;

/** Whether the output shows that an uncaught error ended the process. */
export function saysItCrashed(output: string): boolean {
  const lines = lastLines(output);
  const panic = lines.findIndex((line) => line.startsWith('panic: '));
  return (
    lines.some(
      (line) => SIGNS.some((sign) => sign.test(line)) || (isOfRuby(line) && RUBYS_ERROR.test(line)),
    ) ||
    (panic !== -1 && lines.slice(panic).some((line) => /^goroutine \d+ /.test(line)))
  );
}

/** `file.rb:3:in 'method': message (KeyError)` */
function isOfRuby(line: string): boolean {
  return /:\d+:in ['`]/.test(line) && / \([\w:]+\)$/.test(line);
}

/** How runtimes name the error of a parser, or of a program that relied on a missing value. */
const READING_ERRORS =
  /SyntaxError|JSONDecodeError|JsonException|JsonParseException|JSON::ParserError|invalid character .{1,16} looking for|not valid JSON|unexpected end of JSON|TypeError|AttributeError|KeyError|NullPointerException|NullReferenceException|nil pointer|NoMethodError/i;

/** Where Python and Node begin to report the uncaught error: errors before it may have been caught. */
const BEGINNING = /^Traceback \(most recent call last\):|^\s*\^+$/;

/** Where other runtimes go on to the cause of that error. */
const CAUSE = /\[cause\]: |^Caused by: |^ *---> /m;

/** The report of the error that ended the process, without its cause. */
function lastError(output: string): string {
  const lines = lastLines(output);
  const begins = lines.findLastIndex((line) => BEGINNING.test(line));
  // Indented lines are source text and stack frames.
  const named = begins === -1 ? undefined : lines.slice(begins + 1).find((line) => /^\S/.test(line));
  // Ruby reports the cause last, like the error itself; PHP reports the cause first.
  return (
    named ??
    lines.find(isOfRuby) ??
    lines.findLast((line) => line.startsWith('Next ')) ??
    lines.join('\n').split(CAUSE, 1)[0] ??
    output
  );
}

/** Whether a crash is about what the process read, and not a failure that it raised on purpose. */
export function saysItMisread(output: string): boolean {
  return READING_ERRORS.test(lastError(output));
}
