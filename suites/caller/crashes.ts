/** How runtimes name the error of a parser, or of a program that relied on a missing value. */
const READING_ERRORS =
  /SyntaxError|JSONDecodeError|\bJsonException|JsonParseException|JSON::ParserError|TypeError|AttributeError|KeyError|NullPointerException|NullReferenceException|NoMethodError|JSONException|JsonSyntaxException|MismatchedInputException|IndexOutOfBounds|NoSuchElementException: No value|IllegalStateException: (?:No match|Expected |(?:This is )?[Nn]ot a JSON)/;

/** How a runtime reports an uncaught error. */
interface Runtime {
  /** A line of the report. */
  readonly sign: RegExp;
  /** A file of the program, and a line in it; absent: `PLACE`. */
  readonly place?: RegExp;
  /** Whether the last place is the innermost call, and not the first. */
  readonly isInnermostLast?: true;
  /** What names the error, as a whole or in a group; absent: the sign does, or the line after what `BEGINNING` matches. */
  readonly error?: RegExp;
  /** The errors of parsers, and of programs that relied on a missing value; absent: `READING_ERRORS`. */
  readonly misread?: RegExp;
  /** Where programs write such a line too and go on: whether it ends with this code. Then the sign has to be the last line. */
  readonly endsWith?: (code: number) => boolean;
}

/** A stack frame of V8, whose program may have no file name. */
const FRAME = /^ +at (?:.*\()?(?:file:\/\/)?(\/?[^\s()]+):(\d+):\d+\)?$/;

const RUNTIMES: Readonly<Record<string, Runtime>> = {
  Node: { sign: /^Node\.js v\d+/, place: FRAME },
  Deno: { sign: /^error: Uncaught\s/, place: FRAME },
  Python: {
    sign: /^Traceback \(most recent call last\):/,
    place: /^ {2}File "([^"<]+)", line (\d+)/,
    isInnermostLast: true,
  },
  Java: { sign: /^Exception in thread "/ },
  '.NET': {
    sign: /^Unhandled exception\.\s/,
    place: /^ {3}at [^)]+\) in (.+):line (\d+)$/,
  },
  Rust: {
    sign: /^thread '.*panicked at\s/,
    error: /panicked at (?:'.*|.*\n.*)/,
    misread:
      /`Option::unwrap\(\)` on a `None` value|^[^`]*`Result::unwrap\(\)` on an `Err` value: .*(?:column: \d+\)|kind: Decode)/,
  },
  PHP: {
    sign: /^(?:PHP )?Fatal error: {1,2}Uncaught\s/,
    // The last of a chain is the one that nothing caught.
    error: /^[^]*\n(Next .*)|Uncaught .*/,
  },
  Go: {
    sign: /^goroutine \d+ \[running\]:/,
    error: /^panic: .*/m,
    misread: /^panic: (?:runtime error: |interface conversion: |invalid character |unexpected end of JSON)/,
  },
  Ruby: {
    sign: /^\S+:\d+:in ['`].*(?:\([A-Z][\w:]*\)$|: (?:\d+: )?unexpected\s)/,
    // A message that quotes a page has several lines.
    error: /:\d+:in ['`][^]*?\([A-Z][\w:]*\)$/m,
  },
  Perl: {
    sign: /^(?:malformed JSON|unexpected end of string|garbage after JSON|Can't use |Not an? \w+ ref).* at \S+ line \d+\.$/,
    place: /\sat (\S+) line (\d+)\.$/,
    misread: /^/,
    endsWith: (code) => code !== 1,
  },
  Tcl: {
    sign: /^ {4}while executing$/,
    place: /^ +\(file "(.+)" line (\d+)\)/,
    error: /^.*(?=\n {4}while executing$)/m,
    misread: /^(?:can't read ".*": no such |key ".*" not known in |missing value to go with key)|JSON/,
  },
  jq: {
    sign: /^(?:jq: )?(?:parse )?error(?: \(at .*\))?:\s/,
    misread: /: (?:Invalid|Unfinished|Expected|Cannot i)/,
    endsWith: (code) => [2, 4, 5].includes(code),
  },
};

/** Runtimes report an uncaught error at the end: so many characters of the output are read, line by line. */
const LAST = 20_000;

/** How an uncaught error ended a process; undefined: the output does not show that. */
export function crashOf({ code, output }: { readonly code: number; readonly output: string }) {
  const lines = output.slice(-LAST).trimEnd().split('\n');
  const last = lines.at(-1) ?? '';
  const runtime = Object.values(RUNTIMES).find(({ sign, endsWith }) =>
    endsWith === undefined ? lines.some((line) => sign.test(line)) : endsWith(code) && sign.test(last),
  );
  if (runtime === undefined) return undefined;
  const error = errorIn(lines, runtime);
  return {
    error,
    /** Whether it is about what the process read, and not a failure that it raised on purpose, whatever its cause. */
    isMisread: (runtime.misread ?? READING_ERRORS).test(error ?? ''),
    /** The line of the program at which it broke, as ` at client.py:12`; empty: the report names none. */
    place: placeIn(lines, runtime),
  };
}

/** Where Python and Node begin to report the uncaught error: errors before may have been caught. */
const BEGINNING = /^Traceback \(most recent call last\):|^\s*\^+$/;

function errorIn(lines: readonly string[], { sign, error }: Runtime): string | undefined {
  if (error !== undefined) {
    const [whole, group] = error.exec(lines.join('\n')) ?? [];
    return group ?? whole;
  }
  const begins = lines.findLastIndex((line) => BEGINNING.test(line));
  // Indented lines are source text and stack frames. Other runtimes name the error where they say that they crash.
  return begins === -1
    ? lines.find((line) => sign.test(line))
    : lines.slice(begins + 1).find((line) => /^\S/.test(line));
}

/** A source file, and a line in it, as most runtimes write them. */
const PLACE =
  /(?:^|[\s"'(])(?:file:\/\/)?([^\s"'()]+\.(?:[cm]?[jt]sx?|go|java|kt|php|pl|py|rb|rs|scala|tcl))"?,?(?::| on line | line )(\d+)/;

/** What is no file of the program's own. */
const LIBRARIES =
  /node_modules|node:|site-packages|\/lib\/python|^\tat [\w.@]+\/|\/rustc\/|\/usr\/(?:lib|share)\/|\/go\/(?:src|pkg)\//;

function placeIn(lines: readonly string[], { place = PLACE, isInnermostLast }: Runtime): string {
  const places = lines.flatMap((line) => {
    const [, file, at] = place.exec(line) ?? [];
    return file === undefined || LIBRARIES.test(line) ? [] : `${file}:${at}`;
  });
  const found = isInnermostLast ? places.at(-1) : places[0];
  return found === undefined ? '' : ` at ${found}`;
}
