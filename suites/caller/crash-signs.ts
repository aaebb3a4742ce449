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

/** Whether a crash is one over what was read, and no failure that was passed on on purpose and caught nowhere. */
export function saysItMisread(output: string): boolean {
  return MISREADINGS.test(output);
}
