/** How a process ended, and what it wrote. */
export interface Ending {
  readonly code: number;
  readonly output: string;
}

/** How a runtime reports an uncaught error. */
interface Runtime {
  /** A line of the report. */
  readonly sign: RegExp;
  /** Where programs write such a line too and go on: it has to be the last one, and the exit code one of these. */
  readonly codes?: RegExp;
  /** Names the error, in the whole report; absent: the sign does, or the line that follows what it begins with. */
  readonly error?: RegExp;
  /** The errors of parsers, and of programs that relied on a missing value; absent: `READING_ERRORS`. */
  readonly misread?: RegExp;
  /** A file of the program, and a line in it. */
  readonly place: RegExp;
}

/** How runtimes name the error of a parser, or of a program that relied on a missing value. */
const READING_ERRORS =
  /SyntaxError|JSONDecodeError|\bJsonException|JsonParseException|JSON::ParserError|TypeError|AttributeError|KeyError|NullPointerException|NullReferenceException|NoMethodError|JSONException|JsonSyntaxException|MismatchedInputException|IndexOutOfBounds|NoSuchElementException: No value|IllegalStateException: (?:No match|Expected |(?:This is )?[Nn]ot a JSON)/;

const JAVASCRIPT_PLACE = /^ +at (?:.*\()?(?:file:\/\/)?(\/?[^\s()]+:\d+):\d+\)?$/;

/** Node, Python, Java, Rust, .NET, PHP, Deno, Go, Ruby, Perl, Tcl, jq. */
const RUNTIMES: readonly Runtime[] = [
  { sign: /^Node\.js v\d+/, place: JAVASCRIPT_PLACE },
  { sign: /^Traceback \(most recent call last\):/, place: /^ {2}File "([^"<]+)", line (\d+)/ },
  { sign: /^Exception in thread "/, place: /^\tat [\w.$]+\((\w+\.(?:java|kt|scala):\d+)\)/ },
  {
    sign: /^thread '.*panicked at /,
    error: /panicked at (?:'.*|.*\n.*)/,
    misread: /`Option::unwrap\(\)` on a `None` value|`Err` value: .*(?:column: \d+\)|kind: Decode)/,
    place: /panicked at (?:'.*', )?(\S+?:\d+):\d+/,
  },
  { sign: /^Unhandled exception\. /, place: /^ {3}at .* in (.+):line (\d+)$/ },
  {
    sign: /^(?:PHP )?Fatal error: {1,2}Uncaught /,
    // The last of a chain is the one that nothing caught.
    error: /(?:Uncaught |\nNext )(?![^]*\nNext ).*/,
    place: / in (\S+\.php)(?::| on line )(\d+)/,
  },
  { sign: /^error: Uncaught /, place: JAVASCRIPT_PLACE },
  {
    sign: /^goroutine \d+ \[running\]:/,
    error: /^panic: .*/m,
    misread: /^panic: (?:runtime error: |interface conversion: |invalid character |unexpected end of JSON)/,
    place: /^\t(\S+\.go:\d+)/,
  },
  {
    // file.rb:3:in 'method': message (KeyError); a message that quotes a page has several lines.
    sign: /^\S+:\d+:in ['`].*(?:\([A-Z][\w:]*\)$|: (?:\d+: )?unexpected )/,
    error: /:\d+:in ['`][^]*?\([A-Z][\w:]*\)$/m,
    place: /^(?:\s+from )?(\S+\.rb:\d+):in /,
  },
  {
    sign: /^(?:malformed JSON|unexpected end of string|garbage after JSON|Can't use |Not an? \w+ ref).* at \S+ line \d+\.$/,
    codes: /^(?!1$)/,
    misread: /^/,
    place: / at (\S+) line (\d+)\.$/,
  },
  {
    sign: /^ {4}while executing$/,
    error: /^.*(?=\n {4}while executing$)/m,
    misread: /^(?:can't read ".*": no such |key ".*" not known in |missing value to go with key)|JSON/,
    place: /^ +\(file "(.+)" line (\d+)\)/,
  },
  {
    sign: /^(?:jq: )?(?:parse )?error(?: \(at .*\))?: /,
    codes: /^[245]$/,
    misread: /: (?:Invalid|Unfinished|Expected|Cannot i)/,
    place: /(?!)/,
  },
];

/** Runtimes report an uncaught error at the end: so many characters of the output are read, line by line. */
const LAST = 20_000;

function lastLines({ output }: Ending): readonly string[] {
  return output.slice(-LAST).trimEnd().split('\n');
}

function runtimeOf(ending: Ending): Runtime | undefined {
  const lines = lastLines(ending);
  const last = lines.at(-1) ?? '';
  return RUNTIMES.find(({ sign, codes }) =>
    codes === undefined
      ? lines.some((line) => sign.test(line))
      : codes.test(String(ending.code)) && sign.test(last),
  );
}

/** Whether the output shows that an uncaught error ended the process. */
export function saysItCrashed(ending: Ending): boolean {
  return runtimeOf(ending) !== undefined;
}

/** Where Python and Node begin to report the uncaught error: errors before may have been caught. */
const BEGINNING = /^Traceback \(most recent call last\):|^\s*\^+$/;

/** What names the error that ended the process; undefined: nothing says that an uncaught one did. */
export function crashError(ending: Ending): string | undefined {
  const { sign, error } = runtimeOf(ending) ?? { sign: /(?!)/, error: undefined };
  const lines = lastLines(ending);
  if (error !== undefined) return error.exec(lines.join('\n'))?.[0];
  const begins = lines.findLastIndex((line) => BEGINNING.test(line));
  // Indented lines are source text and stack frames. Other runtimes name the error where they say that they crash.
  return begins === -1
    ? lines.find((line) => sign.test(line))
    : lines.slice(begins + 1).find((line) => /^\S/.test(line));
}

/** Whether a crash is about what the process read, and not a failure that it raised on purpose, whatever its cause. */
export function saysItMisread(ending: Ending): boolean {
  const runtime = runtimeOf(ending);
  return runtime !== undefined && (runtime.misread ?? READING_ERRORS).test(crashError(ending) ?? '');
}

/** What is no file of the program's own. */
const LIBRARIES =
  /node_modules|node:|site-packages|\/lib\/python|\/rustc\/|\/usr\/(?:lib|share)\/|\/go\/(?:src|pkg)\//;

/** The line of the program at which it broke, as ` at client.py:12`; empty: the report names none. */
export function crashPlace(ending: Ending): string {
  const { sign, place } = runtimeOf(ending) ?? { sign: undefined, place: /(?!)/ };
  const places = lastLines(ending).flatMap((line) => {
    const [, file, at] = place.exec(line) ?? [];
    return file === undefined || LIBRARIES.test(file) ? [] : [at === undefined ? file : `${file}:${at}`];
  });
  // Python alone writes the innermost call last.
  const found = sign?.test('Traceback (most recent call last):') === true ? places.at(-1) : places[0];
  return found === undefined ? '' : ` at ${found}`;
}
