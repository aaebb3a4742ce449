import path from 'node:path';
import { defineConfig, type OxlintOverride } from 'oxlint';

// Folders in the order in which they build on one another: each may import those before it, so that no two import each other.

const FIXTURES = 'clauses chats bodies credentials parameters invalid recorded words'.split(' ');

const ENGINE = (
  'model reading reading/errors reading/completions reading/streams reading/models text control network journal ' +
  'sending inputs inputs/judging inputs/provoking summary reports reports/code-hosts reports/compared ' +
  'files running'
).split(' ');

const MOCK = (
  'protocol time input rules answers faults world workspace journal chat sandboxes http ' +
  'inspector control inspector/page defects/kit defects .'
).split(' ');

/** Each may import the suites and the mock too. */
const SCRIPTS = (
  'caller caller/judge proxy cli/terminal cli/options cli/modules cli/config cli/reports cli/mock ' +
  'cli/caller cli/proxy cli/check cli/watch cli . build bench proof/second-service proof/variants ' +
  'proof/callers proof generate'
).split(' ');

/** The sections of the specification never import one another. */
const SECTIONS = (
  'models chat-request messages chat-response streaming vision idempotency authentication errors limits credits ' +
  'versioning caller'
).split(' ');

/** What the engine has for checks. */
const FOR_CHECKS = 'model reading control sending inputs/judging inputs/provoking summary'
  .split(' ')
  .map((folder) => `suites/engine/${folder}`);

const SUITES_ALONE = 'Suites and mock share words (fixtures), never judgement.';

/** What is printed passes one file, which makes it harmless. */
const printed = (property: string) => ({
  object: 'process',
  property,
  message: 'Print with scripts/cli/terminal/terminal.ts.',
});

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: ['dist'],
  rules: {
    'eslint/no-await-in-loop': 'off',
    'eslint/max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    'eslint/max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
    'eslint/no-console': 'error',
    'eslint/no-restricted-properties': ['error', ...['stdout', 'stderr'].map(printed)],
    'eslint/eqeqeq': 'error',
    'eslint/no-var': 'error',
    'eslint/prefer-const': 'error',
    'oxc/no-map-spread': 'off',
    'typescript/consistent-return': 'off',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'import/no-unassigned-import': 'off',
  },
  overrides: [
    { files: ['*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    ...layered('fixtures', FIXTURES),
    mayImport('suites/**', [], []),
    ...SECTIONS.map((section) => mayImport(`suites/${section}`, [], ['fixtures', ...FOR_CHECKS])),
    mayImport(
      'suites',
      SECTIONS.map((section) => `suites/${section}`),
      ['fixtures', ...FOR_CHECKS],
    ),
    ...layered('suites/engine', ENGINE, ['fixtures']),
    ...layered('mock-server', MOCK, ['fixtures']),
    ...layered('scripts', SCRIPTS, ['fixtures', 'suites', 'mock-server']),
    ofTests('fixtures', ['suites', 'mock-server', 'scripts'], 'Fixtures import nothing of ours.'),
    ofTests('suites', ['mock-server', 'scripts'], SUITES_ALONE),
    ofTests('mock-server', ['suites', 'scripts'], SUITES_ALONE),
    ofTests('scripts', [], ''),
    {
      files: [
        'scripts/cli/terminal/terminal.ts',
        '**/*.test.ts',
        'scripts/{bench,build,e2e,proof}/**/*.{ts,mjs}',
      ],
      rules: { 'eslint/no-restricted-properties': 'off' },
    },
    {
      files: ['**/*.test.ts'],
      rules: {
        'eslint/max-lines': 'off',
        'eslint/max-lines-per-function': 'off',
        'promise/always-return': 'off',
        'typescript/no-unsafe-type-assertion': 'off',
        'unicorn/consistent-function-scoping': 'off',
      },
    },
  ],
});

/** One rule a folder, and one for those that the order does not name, which may import nothing above themselves. */
function layered(
  root: string,
  order: readonly string[],
  elsewhere: readonly string[] = [],
): OxlintOverride[] {
  const folders = order.map((folder) => path.posix.join(root, folder));
  return [
    mayImport(`${root}/**`, [], elsewhere),
    ...folders.map((folder, i) => mayImport(folder, folders.slice(0, i), elsewhere)),
  ];
}

/** What a folder may import beside its own files. `elsewhere`: with all below it. */
function mayImport(folder: string, others: readonly string[], elsewhere: readonly string[]): OxlintOverride {
  const places = [
    './*',
    ...others.map((each) => `${to(folder, each)}/*`),
    ...elsewhere.map((each) => `${to(folder, each)}/**/*`),
  ];
  const group = ['./**/*', '../**/*', ...places.map((each) => `!${each}`)];
  const message = `${folder} may import ${[...others, ...elsewhere].join(', ') || 'nothing of ours'} (oxlint.config.ts).`;
  return {
    files: [`${folder}/*.{ts,tsx}`],
    rules: { 'eslint/no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
  };
}

/** The relative path between two folders, as imports spell it. */
function to(from: string, folder: string): string {
  return path.posix.relative(from, folder).replace(/^(?!\.)/, './');
}

/** Tests may reach across the folders of their top-level folder, and no further. */
function ofTests(root: string, others: readonly string[], message: string): OxlintOverride {
  const regex = `^(?:\\.\\./)+(?:${others.join('|')})/`;
  return {
    files: [`${root}/**/*.test.ts`, `${root}/**/{test-support,e2e}/**/*.ts`],
    rules: {
      'eslint/no-restricted-imports':
        others.length === 0 ? 'off' : ['error', { patterns: [{ regex, message }] }],
    },
  };
}
