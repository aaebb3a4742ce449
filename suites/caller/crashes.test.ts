import { expect, test } from 'vitest';
import { crashOf } from './crashes.ts';

test.each([['request failed: bad gateway (HTTPError)'], ['lost (502 Bad Gateway), see the workspace'], ['']])(
  'takes no failure that a program reports for a crash: %s',
  (output) => {
    expect(crashOf({ code: 1, output })).toBeUndefined();
  },
);

/** With a parser's error as its cause. */
const NODE_OWN = `file:///a.mjs:9\n  throw new TypeError('no');\n  ^\n\nGatewayError: lost
    at a.mjs:9 {\n  [cause]: SyntaxError: Unexpected token\n}\n\nNode.js v24.0.0`;
const PYTHON_OWN = `Traceback (most recent call last):\n  File "a.py", line 1, in <module>
json.decoder.JSONDecodeError: Expecting value

The above exception was the direct cause of the following exception:

Traceback (most recent call last):\n  File "a.py", line 3, in <module>
    raise OutcomeUnknown() from error\n    ^^^^^^^^^^^^^^^^^^^^^^\n__main__.OutcomeUnknown: lost`;
const RUST = `thread 'main' (7) panicked at src/main.rs:7:81:\n`;
const NONE = `${RUST}called \`Option::unwrap()\` on a \`None\` value\nnote: run with \`RUST_BACKTRACE=1\` …`;
const SERDE = `${RUST}called \`Result::unwrap()\` on an \`Err\` value: Error("expected value", line: 1, column: 1)`;
const GO = '\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:31 +0x1d4\nexit status 2';
const RUBY_PAGE = `/usr/lib/ruby/json/common.rb:216:in \`parse': 859: unexpected token at '<html>
<h1>502 (Bad)</h1>' (JSON::ParserError)\n\tfrom ask.rb:12:in \`<main>'`;
const TCL = (message: string): string =>
  `${message}\n    while executing\n"puts $code"\n    (file "ask.tcl" line 9)`;

test.each([
  ['of Node, with its cause', 1, NODE_OWN, false],
  ['of Node, over the body', 1, NODE_OWN.replace('GatewayError', 'SyntaxError'), true],
  ['of Deno, over the body', 1, 'error: Uncaught (in promise) SyntaxError: Unexpected token', true],
  ['of Python, with its cause', 1, PYTHON_OWN, false],
  ['of Python, over the body', 1, PYTHON_OWN.replace('__main__.OutcomeUnknown', 'KeyError'), true],
  ['of Java', 1, 'Exception in thread "main" Lost: 502\n\tat A.a\nCaused by: a.JsonParseException: <', false],
  ['of Java, over the body', 1, 'Exception in thread "main" a.JsonParseException: <\n\tat A.a', true],
  [
    'of Java, by a pattern',
    1,
    'Exception in thread "main" java.lang.IllegalStateException: No match found',
    true,
  ],
  ['of Java, raised', 1, 'Exception in thread "main" java.lang.IllegalStateException: lost: 502', false],
  ['of .NET', 1, 'Unhandled exception. Lost: 502\n ---> System.Text.Json.JsonException: <', false],
  ['of Ruby', 1, "a.rb:3:in 'ask': lost (Lost)\na.rb:2:in 'parse': unexpected (JSON::ParserError)", false],
  ['of Ruby, over a page', 1, RUBY_PAGE, true],
  ['of Ruby, over nil', 1, "a.rb:3:in 'ask': undefined method '[]' for nil (NoMethodError)", true],
  ['of PHP', 255, 'PHP Fatal error:  Uncaught JsonException: Syntax error\n\nNext Lost: 502 in a.php', false],
  [
    'of PHP, over the body',
    255,
    '\nFatal error: Uncaught JsonException: Syntax error in /a.php:3\nStack',
    true,
  ],
  ['of Rust, over None', 101, NONE, true],
  ['of Rust, over the body', 101, SERDE, true],
  ['of Rust, raised', 101, `${RUST}lost: 502`, false],
  ['of Go, over nil', 2, `panic: interface conversion: interface {} is nil, not []interface {}${GO}`, true],
  ['of Go, raised', 2, `panic: lost: invalid character '<'${GO}`, false],
  [
    'of Perl',
    255,
    'malformed JSON string, neither tag nor array, at character offset 0 at a.pl line 8.\n',
    true,
  ],
  ['of Perl, which it only warns of', 1, 'malformed JSON string at a.pl line 8.\n', false],
  ['of Perl, raised', 255, 'lost: malformed JSON string at a.pl line 8.\n', false],
  ['of Tcl', 1, TCL('can\'t read "code": no such variable'), true],
  ['of Tcl, raised', 1, TCL('lost'), false],
  ['of jq', 5, 'jq: error (at <stdin>:0): Cannot index string with string "choices"\n', true],
  ['of jq, over a page', 2, 'jq: parse error: Invalid numeric literal at line 1, column 7\n', true],
  ['of jq, which a script caught', 1, 'parse error: Invalid literal at line 1, column 7\nlost\n', false],
] as const)(
  'takes the error that nothing caught for what ended it: an error %s',
  (_whose, code, output, expected) => {
    expect(crashOf({ code, output })?.isMisread ?? false).toBe(expected);
  },
);

test.each([
  ['/app/ask.mjs:4', '    at JSON.parse (<anonymous>)\n    at file:///app/ask.mjs:4:9\n\nNode.js v24.0.0'],
  ['a.py', PYTHON_OWN],
  [
    'App.java:8',
    'Exception in thread "main" a.B: c\n\tat java.base/java.util.X.y(X.java:6)\n\tat App.main(App.java:8)',
  ],
  [
    '/app/in use/Ask.cs:7',
    'Unhandled exception. Lost: 502\n   at Lib.Read(String a)\n   at Ask.Main(String[] a) in /app/in use/Ask.cs:line 7',
  ],
  ['src/main.rs:7', NONE],
  ['src/main.rs:2', "thread 'main' panicked at 'lost, 502', src/main.rs:2:5"],
  ['/app/main.go:31', `panic: lost${GO}`],
  ['ask.rb:12', RUBY_PAGE],
  ['/app/ask.php:3', 'PHP Fatal error:  Uncaught E: lost in /app/ask.php:3\nStack trace:'],
  ['ask.pl:8', 'malformed JSON string at ask.pl line 8.'],
  ['/app/in use/ask:3', PYTHON_OWN.replaceAll('a.py', '/app/in use/ask')],
  ['bin/ask:8', 'malformed JSON string at bin/ask line 8.'],
  ['ask.tcl:9', TCL('lost')],
])('names the line of the program that broke: %s', (place, output) => {
  expect(crashOf({ code: 255, output })?.place).toMatch(` at ${place}`);
});
