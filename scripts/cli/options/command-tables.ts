import { callerScenarioNames } from '../../caller/scenarios.ts';
import { type NETWORK_OPTIONS, OUTCOME_OPTIONS } from './check-table.ts';
import {
  filledText,
  integer,
  LARGEST_SEED,
  path,
  repeated,
  text,
  toggle,
  variables,
  wordOf,
  wordsOf,
} from './kinds.ts';
import { type FlagsOf, option } from './option.ts';

/** Of every command that makes reports beside a check. */
const REPORTING = { report: option('--report <dir>', path, 'folder for the reports'), ...OUTCOME_OPTIONS };

const LISTING = { json: option('--json', toggle, 'as JSON') };

/** Of every command that listens. */
const SERVER_OPTIONS = {
  port: option('--port <n>', integer(0, 65_535), 'port to listen on; 0: any free port', { default: 0 }),
  host: option('--host <address>', filledText, 'address to listen on', { default: '127.0.0.1' }),
};

/** Up to ten minutes: more than any caller waits. */
const milliseconds = integer(0, 600_000);

export const MOCK_OPTIONS = {
  ...SERVER_OPTIONS,
  world: option('--world <file>', path, 'models, keys, limits, open points, faults, answers (JSON)'),
  credits: option('--credits <n>', integer(0), 'credits of every workspace'),
  concurrency: option('--concurrency <n>', integer(1), 'concurrent completions that each key may have'),
  clock: option('--clock <time>', text, 'real, frozen (the default), or an instant: 2026-01-01T00:00:00Z'),
  model: option('--model <id>', repeated, 'serve a model with this ID too; repeatable'),
  key: option('--key <key>', filledText, 'value of the first bearer key; any: accept every key'),
  variant: option('--variant <name>', repeated, 'behave differently at an open point; repeatable'),
  seed: option('--seed <n>', integer(0), 'seed of the answers'),
  latency: option('--latency <ms>', milliseconds, 'milliseconds per completion', { default: 0 }),
  fault: option('--fault <rule>', repeated, 'arm a fault: its name, then NAME=VALUE parameters; repeatable'),
  answer: option('--answer <rule>', repeated, 'send a chosen answer (docs/answers.md); repeatable'),
  defect: option('--defect <name>', text, 'break the specification in one way; "list" prints all defects'),
  log: option('--log [format]', wordOf(['text', 'json']), 'a line for each request on stderr: text or json', {
    alone: 'text',
  }),
  control: option('--control', toggle, 'serve the control API and the inspector, and keep journals'),
  judge: option('--judge', toggle, 'judge callers, at GET /control/judge and on exit; implies --control'),
  as: option('--as <names>', wordsOf(['openai']), 'openai: set OPENAI_BASE_URL and OPENAI_API_KEY too'),
  controlToken: option('--control-token <token>', text, 'control API token; CHAT_CONTROL_TOKEN is safer'),
};

export type MockFlags = FlagsOf<typeof MOCK_OPTIONS>;

export const CALLER_OPTIONS = {
  scenario: option('--scenario <names>', wordsOf(callerScenarioNames()), 'play only these scenarios: A,B'),
  seed: option('--seed <n>', integer(0, LARGEST_SEED), 'seed of the model IDs (default: random)'),
  deadline: option('--deadline <s>', integer(1, 3600), 'time limit per scenario, in seconds (default: 30)'),
  concurrency: option(
    '--concurrency <n>',
    integer(1, 100),
    'scenarios to run in parallel (default: 4); 1 if the command cannot run more than once at a time',
  ),
  serve: option('--serve <command>', filledText, 'start this server instead of COMMAND; {port}: a free port'),
  drive: option('--drive <command>', filledText, 'command that uses the server: its tests; {port} as above'),
  ready: option('--ready <url>', filledText, 'wait until this URL of the server answers (default: its port)'),
  realTime: option('--real-time', toggle, 'withhold answers for the full 120 s, not a shorter time'),
  envBaseUrl: option('--env-base-url <name>', variables, 'additional variable for the base URL; repeatable'),
  envKey: option('--env-key <name>', variables, 'additional variable for the key; repeatable'),
  envModel: option('--env-model <name>', variables, 'additional variable for a listed model ID; repeatable'),
  timeline: option('--timeline', toggle, 'print everything that the client sent, even if it passed'),
  verbose: option('--verbose', toggle, 'print the result of each check, and the output of the client'),
  ...REPORTING,
};

export type CallerFlags = FlagsOf<typeof CALLER_OPTIONS>;

export const PROXY_OPTIONS = {
  target: option('--target <url>', text, 'base URL of the service'),
  controlUrl: option('--control-url <url>', text, 'control API of the service (same origin); shows lookups'),
  ...SERVER_OPTIONS,
  record: option('--record <file>', path, 'also record the answers in this file, for mock --world'),
  ...REPORTING,
};

export type ProxyFlags = FlagsOf<typeof PROXY_OPTIONS & typeof NETWORK_OPTIONS>;

export const REPORT_OPTIONS = {
  rejudge: option('--rejudge', toggle, 'judge the recorded answers again, with the checks of this release'),
  checks: option('--checks <file>', path, 'with --rejudge: also use the checks in this module'),
  baseline: option('--baseline <file>', path, 'known failures (JSON), instead of those of the run'),
  ...REPORTING,
};

export type ReportFlags = FlagsOf<typeof REPORT_OPTIONS>;

export const LIST_OPTIONS = {
  ...LISTING,
  checks: option('--checks <file>', path, 'also list the checks in this module'),
};

export const EXPLAIN_OPTIONS = {
  target: option(
    '--target <names>',
    text,
    'also print the most that this target would be sent, or several: A,B',
  ),
  checks: option('--checks <file>', path, 'module that contains the check, if it is your own'),
};

export const DIFF_OPTIONS = LISTING;

export const LEARN_OPTIONS = {
  write: option('--write <file>', path, 'write the profile to this file; keep the rest of the file'),
};
