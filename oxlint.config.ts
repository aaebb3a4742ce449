import path from 'node:path';
import { defineConfig, type OxlintOverride } from 'oxlint';

/** Folders, each with those above it that it may import: no two import each other. */
type Layers = Readonly<Record<string, readonly string[]>>;

const FIXTURES = readLayers(`
  chats:
  bodies: chats
  clauses:
  credentials: chats
  parameters: chats
  invalid: chats parameters
  recorded:
  words:
`);

const ENGINE = readLayers(`
  model:
  reading: model
  reading/errors: model reading
  reading/completions: model reading
  reading/streams: model reading reading/completions
  reading/models: model reading reading/errors
  text: model reading
  control: model reading
  network: model text
  journal: model reading text network
  sending: model reading reading/errors text network control journal
  inputs: model
  inputs/judging: model reading reading/errors reading/completions
  inputs/provoking: model reading reading/errors inputs/judging sending
  summary: model reading reading/errors text journal sending inputs inputs/provoking
  reports: model text summary
  reports/terminal: model text reports
  reports/html: model text summary reports
  files: model text summary reports
  running/recorded: model text journal sending inputs/judging summary
  running: model reading reading/errors reading/models text control network journal sending inputs inputs/provoking
      summary reports running/recorded
`);

/** In the order in which they build on one another. */
const MOCK = readLayers(`
  protocol:
  time:
  input: protocol
  rules: protocol time input
  answers: protocol input rules
  world: protocol input rules answers
  faults: protocol time input rules answers world
  workspace: protocol time input world
  journal: protocol time input rules world faults workspace
  exchange: protocol time rules world faults workspace journal
  chat: protocol time rules answers world faults workspace exchange
  endpoints: protocol answers world exchange chat
  sandboxes: protocol time rules answers world faults workspace journal exchange chat endpoints
  open-api: protocol world
  http: protocol time world faults journal exchange endpoints sandboxes open-api
  tls: faults journal exchange sandboxes http
  inspector:
  control: protocol time input rules answers world faults workspace journal sandboxes http inspector
  inspector/page: workspace journal control
  defects/kit: protocol workspace exchange
  defects: protocol world faults workspace exchange defects/kit
  .: input rules answers world faults workspace journal exchange sandboxes http tls control defects defects/kit
`);

/** Each may import the suites and the mock too. */
const SCRIPTS = readLayers(`
  caller:
  caller/judge: caller
  proxy:
  cli/terminal:
  cli/options: cli/terminal
  cli/modules: cli/terminal cli/options
  cli/config: cli/terminal cli/options cli/modules
  cli/service: caller cli/terminal cli/options
  cli/reports: caller cli/terminal cli/options cli/modules
  cli/mock: caller/judge cli/terminal cli/options
  cli/caller: caller cli/terminal cli/options cli/reports
  cli/journal: proxy cli/terminal cli/options cli/modules cli/config cli/reports cli/mock
  cli/proxy: proxy cli/terminal cli/options cli/reports cli/journal
  cli/check: cli/terminal cli/options cli/modules cli/config cli/service cli/reports cli/mock cli/journal
  cli/watch: cli/terminal cli/options cli/modules cli/config cli/service cli/reports cli/check
  cli: cli/terminal cli/options cli/config cli/reports cli/mock cli/caller cli/journal cli/proxy cli/check
      cli/watch
  .: cli/terminal cli/options cli/modules cli/config cli/service cli/reports cli/check cli
  build:
  bench: cli/options cli/check
  proof/second-service:
  proof/variants: proof/second-service
  proof/callers: caller
  proof: cli/mock caller cli/terminal cli/options cli/check proof/second-service proof/variants proof/callers
  generate: caller cli/terminal cli/options cli/config cli/reports proof
`);

/** The sections of the specification never import one another. */
const SECTIONS = (
  'models chat-request messages chat-response streaming vision idempotency authentication errors limits credits ' +
  'versioning caller'
).split(' ');
const SUITES: Layers = {
  ...Object.fromEntries(SECTIONS.map((section) => [section, []])),
  '.': SECTIONS,
};
/** What the engine has for checks. */
const FOR_CHECKS = [
  'model',
  'reading',
  'control',
  'sending',
  'inputs/judging',
  'inputs/provoking',
  'summary',
];

const SUITES_ALONE = 'Suites and mock share words (fixtures), never judgement.';

/** What is printed passes one file, which makes it harmless. */
const printed = (property: string) => ({
  object: 'process',
  property,
  message: 'Print with scripts/cli/terminal/output.ts.',
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
    ...layered('suites', SUITES, ['fixtures', ...FOR_CHECKS.map((folder) => `suites/engine/${folder}`)]),
    ...layered('suites/engine', ENGINE, ['fixtures']),
    ...layered('mock-server', MOCK, ['fixtures']),
    ...layered('scripts', SCRIPTS, ['fixtures', 'suites', 'mock-server']),
    ofTests('fixtures', ['suites', 'mock-server', 'scripts'], 'Fixtures import nothing of ours.'),
    ofTests('suites', ['mock-server', 'scripts'], SUITES_ALONE),
    ofTests('mock-server', ['suites', 'scripts'], SUITES_ALONE),
    ofTests('scripts', [], ''),
    {
      files: [
        'scripts/cli/terminal/output.ts',
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

/** Reads lines of `folder: folders`; a deeper line continues the one before it. */
function readLayers(text: string): Layers {
  const rows = text.trim().split(/\n {2}(?! )/);
  return Object.fromEntries(
    rows.map((row) => {
      const [folder = '', allowed = ''] = row.split(':');
      return [folder, allowed.match(/\S+/g) ?? []];
    }),
  );
}

/** One rule a folder; one that the table does not name may import nothing above itself. `elsewhere`: with all below it. */
function layered(root: string, layers: Layers, elsewhere: readonly string[] = []): OxlintOverride[] {
  const known = new Set<string>();
  const rows: Layers = { '**': [], ...layers };
  return Object.entries(rows).map(([folder, allowed]) => {
    const later = allowed.find((each) => !known.has(each));
    if (later !== undefined)
      throw new Error(`${root}: ${folder} may not import ${later}, which stands below it`);
    known.add(folder);
    const from = path.posix.join(root, folder);
    const own = allowed.map((each) => path.posix.join(root, each));
    const places = [
      './*',
      ...own.map((each) => `${to(from, each)}/*`),
      ...elsewhere.map((each) => `${to(from, each)}/**/*`),
    ];
    const group = ['./**/*', '../**/*', ...places.map((each) => `!${each}`)];
    const message = `${from} may import ${[...own, ...elsewhere].join(', ') || 'nothing of ours'} (oxlint.config.ts).`;
    return {
      files: [`${from}/*.{ts,tsx}`],
      rules: { 'eslint/no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
    };
  });
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
