import { rowsOf } from '../engine/summary/remedy-table.ts';

/** How a process ended, and what it wrote. */
interface Ending {
  readonly code: number;
  readonly output: string;
}

/** How runtimes name the error of a parser, or of a program that relied on a missing value. */
const READING_ERRORS =
  /SyntaxError|JSONDecodeError|\bJsonException|JsonParseException|JSON::ParserError|TypeError|AttributeError|KeyError|NullPointerException|NullReferenceException|NoMethodError|JSONException|JsonSyntaxException|MismatchedInputException|IndexOutOfBounds|NoSuchElementException: No value|IllegalStateException: (?:No match|Expected |(?:This is )?[Nn]ot a JSON)/;

/**
 * How runtimes report an uncaught error: a line of the report; a file of the program, and a line in it; what names the error,
 * unless the first does, or the line after what `BEGINNING` matches; and the errors of parsers, and of programs that relied on a
 * missing value, other than `READING_ERRORS`. Exit codes stand last where programs write such a line too and go on: then it has
 * to be the last line. A deeper line continues the one before.
 */
const RUNTIME_TABLE = String.raw`
  Node | ^Node\.js v\d+ | ^ +at (?:.*\()?(?:file:\/\/)?(\/?[^\s()]+:\d+):\d+\)?$
  Deno | ^error: Uncaught\s | ^ +at (?:.*\()?(?:file:\/\/)?(\/?[^\s()]+:\d+):\d+\)?$
  Python | ^Traceback \(most recent call last\): | ^ {2}File "([^"<]+)", line (\d+)
  Java | ^Exception in thread " | ^\tat [\w.$]+\((\w+\.(?:java|kt|scala):\d+)\)
  .NET | ^Unhandled exception\.\s | ^ {3}at .* in (.+):line (\d+)$
  Rust | ^thread '.*panicked at\s | panicked at (?:'.*', )?(\S+?:\d+):\d+ | panicked at (?:'.*|.*\n.*)
      | \`Option::unwrap\(\)\` on a \`None\` value|\`Err\` value: .*(?:column: \d+\)|kind: Decode)
  PHP | ^(?:PHP )?Fatal error: {1,2}Uncaught\s | \sin (\S+\.php)(?::| on line )(\d+)
      | (?:Uncaught |\nNext )(?![^]*\nNext ).*
  Go | ^goroutine \d+ \[running\]: | ^\t(\S+\.go:\d+) | ^panic: .*
      | ^panic: (?:runtime error: |interface conversion: |invalid character |unexpected end of JSON)
  Ruby | ^\S+:\d+:in ['\`].*(?:\([A-Z][\w:]*\)$|: (?:\d+: )?unexpected\s) | ^(?:\s+from )?(\S+\.rb:\d+):in\s
      | :\d+:in ['\`][^]*?\([A-Z][\w:]*\)$
  Perl | ^(?:malformed JSON|unexpected end of string|garbage after JSON|Can't use |Not an? \w+ ref).* at \S+ line \d+\.$
      | \sat (\S+) line (\d+)\.$ | | ^ | ^(?!1$)
  Tcl | ^ {4}while executing$ | ^ +\(file "(.+)" line (\d+)\) | ^.*(?=\n {4}while executing$)
      | ^(?:can't read ".*": no such |key ".*" not known in |missing value to go with key)|JSON
  jq | ^(?:jq: )?(?:parse )?error(?: \(at .*\))?:\s | (?!) | | : (?:Invalid|Unfinished|Expected|Cannot i) | ^[245]$
`;

const RUNTIMES = rowsOf(RUNTIME_TABLE).map(([name, sign = '', place = '', error, misread, codes]) => ({
  name,
  sign: new RegExp(sign),
  place: new RegExp(place),
  // The last of a chain of PHP is the one that nothing caught; a message of Ruby that quotes a page has several lines.
  error: error ? new RegExp(error, 'm') : undefined,
  misread: misread === undefined ? READING_ERRORS : new RegExp(misread),
  codes: codes === undefined ? undefined : new RegExp(codes),
}));

type Runtime = (typeof RUNTIMES)[number];

/** Runtimes report an uncaught error at the end: so many characters of the output are read, line by line. */
const LAST = 20_000;

/** How an uncaught error ended a process; undefined: the output does not show that. */
export function crashOf({ code, output }: Ending) {
  const lines = output.slice(-LAST).trimEnd().split('\n');
  const last = lines.at(-1) ?? '';
  const runtime = RUNTIMES.find(({ sign, codes }) =>
    codes === undefined ? lines.some((line) => sign.test(line)) : codes.test(String(code)) && sign.test(last),
  );
  if (runtime === undefined) return undefined;
  const error = errorIn(lines, runtime);
  return {
    /** What names the error. */
    error,
    /** Whether it is about what the process read, and not a failure that it raised on purpose, whatever its cause. */
    isMisread: runtime.misread.test(error ?? ''),
    /** The line of the program at which it broke, as ` at client.py:12`; empty: the report names none. */
    place: placeIn(lines, runtime),
  };
}

/** Where Python and Node begin to report the uncaught error: errors before may have been caught. */
const BEGINNING = /^Traceback \(most recent call last\):|^\s*\^+$/;

function errorIn(lines: readonly string[], { sign, error }: Runtime): string | undefined {
  if (error !== undefined) return error.exec(lines.join('\n'))?.[0];
  const begins = lines.findLastIndex((line) => BEGINNING.test(line));
  // Indented lines are source text and stack frames. Other runtimes name the error where they say that they crash.
  return begins === -1
    ? lines.find((line) => sign.test(line))
    : lines.slice(begins + 1).find((line) => /^\S/.test(line));
}

/** What is no file of the program's own. */
const LIBRARIES =
  /node_modules|node:|site-packages|\/lib\/python|\/rustc\/|\/usr\/(?:lib|share)\/|\/go\/(?:src|pkg)\//;

function placeIn(lines: readonly string[], { name, place }: Runtime): string {
  const places = lines.flatMap((line) => {
    const [, file, at] = place.exec(line) ?? [];
    return file === undefined || LIBRARIES.test(file) ? [] : [at === undefined ? file : `${file}:${at}`];
  });
  // Python alone writes the innermost call last.
  const found = name === 'Python' ? places.at(-1) : places[0];
  return found === undefined ? '' : ` at ${found}`;
}
