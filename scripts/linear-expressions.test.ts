import { globSync, readFileSync } from 'node:fs';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { ESCAPE } from '../fixtures/credentials/redact-secrets.ts';
import { SECRET_VALUE, SECRET_WORD } from '../fixtures/credentials/secret-names.ts';
import { ALL_FRAMEWORKS } from '../suites/engine/summary/remedies.ts';

/** Programs of those who work on the product: they read what we wrote. */
const OF_DEVELOPERS = /\.test\.ts$|\/test-support\/|^scripts\/(?:bench|build|e2e|generate|proof)\//;

const expressions = new Map<string, RegExp>();
const makers = new Set<string>();

for (const file of globSync('{suites,mock-server,fixtures,scripts}/**/*.{ts,tsx}').toSorted()) {
  if (OF_DEVELOPERS.test(file)) continue;
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const { pattern, flags } = node.regex;
      expressions.set(`/${pattern}/${flags}`, new RegExp(pattern, flags));
    },
    NewExpression({ callee }) {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') makers.add(file);
    },
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
}

/** What is no literal: those of a table, and the user's own, whose search has an end in time. */
const MADE = {
  'fixtures/credentials/redact-secrets.ts': [ESCAPE],
  'fixtures/credentials/secret-names.ts': [SECRET_VALUE, SECRET_WORD],
  // A path of the control API: a name ends at the next slash.
  'mock-server/control/dispatch.ts': [],
  'mock-server/rules/match.ts': [],
  // Codes of errors are short.
  'suites/engine/network/connection-failures.ts': [],
  'suites/engine/summary/remedies.ts': ALL_FRAMEWORKS.flatMap(({ header, page }) => [header, page]),
};
for (const each of Object.values(MADE).flat()) expressions.set(String(each), each);

test('knows every place that makes expressions from texts', () => {
  expect([...makers]).toEqual(Object.keys(MADE));
});

/** The first of these that a class of characters holds stands for it, and each of them is repeated. */
const CHARACTERS = 'a0 \n\t/\\="-.:{<?é'.split('');

type ClassOrSet = AST.CharacterClass | AST.CharacterSet | AST.ExpressionCharacterClass;

function standIn({ raw }: ClassOrSet, flags: string): string {
  const one = new RegExp(`^${raw}$`, flags.replaceAll(/[gmy]/g, ''));
  return CHARACTERS.find((each) => one.test(each)) ?? '\u20ac';
}

/** Texts that the parts of an expression match, in their order; of alternatives too. */
function partsOf({ source, flags }: RegExp): readonly string[] {
  const parts: string[] = [];
  const begun: number[] = [];
  let end = -1;
  const add = (node: AST.Node, text: string): void => {
    if (node.parent?.type.includes('Class') === true) return;
    const isNext = node.type === 'Character' && node.start === end;
    parts.push(isNext ? `${parts.pop()}${text}` : text);
    end = node.type === 'Character' ? node.end : -1;
  };
  visitRegExpAST(new RegExpParser().parsePattern(source, 0, source.length, flags.includes('u')), {
    onQuantifierEnter() {
      begun.push(parts.length);
      end = -1;
    },
    onQuantifierLeave({ min }) {
      const from = begun.pop();
      if (min > 1)
        parts.push(
          parts
            .splice(from ?? 0)
            .join('')
            .repeat(min),
        );
      end = -1;
    },
    onCharacterEnter: (node) => add(node, String.fromCodePoint(node.value)),
    onCharacterSetEnter: (node) => add(node, standIn(node, flags)),
    onCharacterClassEnter: (node) => add(node, standIn(node, flags)),
  });
  return parts;
}

/** What makes a search begin or go back again and again: a beginning, and then the same text many times. */
interface Kind {
  readonly beginning: string;
  readonly repeated: string;
}

function kindsFor(expression: RegExp): readonly Kind[] {
  const parts = partsOf(expression);
  const pairs = parts.flatMap((one) => parts.map((other) => one + other));
  const kinds = [0, ...parts.keys()].flatMap((_, from) => {
    const runs = [1, 2, 3, 4, 5, 6].map((length) => parts.slice(from, from + length).join(''));
    const beginnings = ['', parts.slice(0, from).join('')];
    return beginnings.flatMap((beginning) =>
      [...runs, ...CHARACTERS].map((repeated) => ({ beginning, repeated })),
    );
  });
  kinds.push(...pairs.map((repeated) => ({ beginning: '', repeated })));
  const different = new Map(kinds.map((kind) => [JSON.stringify(kind), kind]));
  return [...different.values()].filter(({ repeated }) => repeated !== '');
}

/** Neither matches a class that leaves out the other. */
const END = '\0\n\0';

/** The milliseconds of CPU that all searches of a text take. */
function workOf(expression: RegExp, { beginning, repeated }: Kind, length: number): number {
  const text = beginning + repeated.repeat(Math.ceil(length / repeated.length)) + END;
  const before = process.cpuUsage();
  text.replaceAll(expression, '');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The first are short and near each other: some work grows without end. */
const SHORT = Array.from({ length: 18 }, (_, step) => 20 * 1.25 ** step);
const LENGTHS = [...SHORT, 10_000];

/** Less work than this is linear: to compare each of 10,000 characters with the others takes many times as much. */
const FLOOR = 3;

/** Whether twice the text takes less than three times the work. */
function isLinear(expression: RegExp, kind: Kind): boolean {
  const everywhere = new RegExp(expression.source, `${expression.flags.replaceAll(/[gy]/g, '')}g`);
  const least = (length: number): number =>
    Math.min(...[1, 2, 3].map(() => workOf(everywhere, kind, length)));
  return LENGTHS.every((length) => {
    if (workOf(everywhere, kind, length) < FLOOR) return true;
    const work = least(length);
    return work < FLOOR || work < 3 * least(length / 2);
  });
}

/** What repeats nothing without end takes no more work at a place than its own length. */
const repeating = [...expressions].filter(([text]) => /[*+]|\{\d+,\}/.test(text));

test.each(repeating)('%s takes as much work as its text is long', (_, expression) => {
  expect(kindsFor(expression).filter((kind) => !isLinear(expression, kind))).toEqual([]);
});

test.each([/\/+$/, /^(?:a+)+$/])('finds more work than text in %s', (expression) => {
  expect(kindsFor(expression).some((kind) => !isLinear(expression, kind))).toBe(true);
});
