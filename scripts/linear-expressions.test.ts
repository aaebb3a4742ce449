import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';
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

const REPEATING = [...expressions].filter(([text]) => /[*+]|\{\d+,\}/.test(text));

/** Whether a text can be searched in a time that grows as its length does. */
const isLinear = (expression: RegExp): boolean => analyse(expression).reports.length === 0;

test('has only expressions that take as much work as their text is long', () => {
  expect(REPEATING.length).toBeGreaterThan(150);
  expect(REPEATING.flatMap(([text, each]) => (isLinear(each) ? [] : [text]))).toEqual([]);
});

test.each([/\/+$/, /^(?:a+)+$/])('finds more work than text in %s', (expression) => {
  expect(isLinear(expression)).toBe(false);
});
