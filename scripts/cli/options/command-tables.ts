import { OUTCOME_OPTIONS } from './check-table.ts';
import {
  filledText,
  integer,
  names,
  once,
  path,
  repeated,
  text,
  textOrAlone,
  toggle,
  wordOf,
} from './kinds.ts';
import { type FlagsOf, option } from './option.ts';
import { LARGEST_SEED } from './run-table.ts';
import type { NETWORK_OPTIONS } from './target-table.ts';

/** Ten minutes: more than any caller waits. */
const LONGEST_LATENCY_MS = 600_000;

/** An hour: more than any scenario takes. */
const LONGEST_DEADLINE_S = 3600;

/** Of every command that makes reports beside a check. */
const REPORTING = { report: option('--report <dir>', 'folder of the reports', path), ...OUTCOME_OPTIONS };

/** Of every command that prints a list. */
const LISTING = { json: option('--json', 'as JSON', toggle) };

/** Of every command that listens. */
const SERVER_OPTIONS = {
  port: option('--port <n>', 'port to listen on; 0: any free port', integer(0, 65_535), { default: 0 }),
  host: option('--host <address>', 'address to listen on', text, { default: '127.0.0.1' }),
};

export const MOCK_OPTIONS = {
  ...SERVER_OPTIONS,
  tls: option(
    '--tls [cert,key]',
    'speak TLS: with a certificate of its own, or with that in these files (PEM)',
    textOrAlone,
  ),
  world: option('--world <file>', 'models, keys, workspaces, limits and open points (JSON)', path),
  credits: option('--credits <n>', 'credits of every workspace', integer(0)),
  concurrency: option('--concurrency <n>', 'completions of every key at once', integer(0)),
  clock: option('--clock <time>', 'real, frozen (the default), or an instant: 2026-01-01T00:00:00Z', text),
  model: option('--model <id>', 'serve a model with this ID too; repeatable', repeated),
  key: option('--key <key>', 'bearer key in place of the first one; any: accept every key', filledText),
  variant: option('--variant <name>', 'fill an open point in another way; repeatable', repeated),
  seed: option('--seed <n>', 'seed of the answers', integer(0)),
  latency: option('--latency <ms>', 'milliseconds for each completion', integer(0, LONGEST_LATENCY_MS), {
    default: 0,
  }),
  latencyPerToken: option(
    '--latency-per-token <ms>',
    'milliseconds for each output token',
    integer(0, LONGEST_LATENCY_MS),
    { default: 0 },
  ),
  fault: option('--fault <rule>', 'arm a fault: its name, then NAME=VALUE parameters; repeatable', repeated),
  answer: option(
    '--answer <rule>',
    'choose an answer: a text, or NAME=VALUE parameters (docs/answers.md); repeatable',
    repeated,
  ),
  defect: option('--defect <name>', 'break the specification in one way; "list" prints all defects', once),
  scenario: option('--scenario <file>', 'faults and chosen answers, with their seed and world (JSON)', path),
  log: option(
    '--log [format]',
    'write a line for each request to stderr, for people (text) or as JSON (json)',
    wordOf(['text', 'json']),
    { alone: 'text' },
  ),
  control: option(
    '--control',
    'serve the control API at /control, the inspector at /control/ui, and keep journals',
    toggle,
  ),
  open: option('--open', 'open the inspector in a browser; requires --control', toggle),
  judge: option(
    '--judge',
    'judge the callers: at GET /control/judge, and at the end; implies --control',
    toggle,
  ),
  controlToken: option(
    '--control-token <token>',
    'bearer token of control requests; CHAT_CONTROL_TOKEN is safer',
    text,
  ),
};

export type MockFlags = FlagsOf<typeof MOCK_OPTIONS>;

export const CALLER_OPTIONS = {
  scenario: option('--scenario <names>', 'play only these scenarios (comma-separated)', names),
  seed: option('--seed <n>', 'seed of the model IDs (default: random)', integer(0, LARGEST_SEED)),
  deadline: option(
    '--deadline <s>',
    'time limit of one scenario, in seconds (default: 30)',
    integer(1, LONGEST_DEADLINE_S),
  ),
  realTime: option('--real-time', 'let the client wait for the full 120 s when no answer comes', toggle),
  envBaseUrl: option(
    '--env-base-url <name>',
    'another variable to set to the base URL; repeatable',
    repeated,
  ),
  envKey: option('--env-key <name>', 'another variable to set to the key; repeatable', repeated),
  envModel: option(
    '--env-model <name>',
    'another variable to set to a listed model ID; repeatable',
    repeated,
  ),
  timeline: option('--timeline', 'print everything that the client sent, even if it passed', toggle),
  verbose: option(
    '--verbose',
    'print what each check says of each scenario, and what the client wrote',
    toggle,
  ),
  ...REPORTING,
};

export type CallerFlags = FlagsOf<typeof CALLER_OPTIONS>;

export const PROXY_OPTIONS = {
  target: option('--target <url>', 'base URL of the service', text),
  ...SERVER_OPTIONS,
  record: option(
    '--record <file>',
    'keep answers in this file, a world for mock --world; chats that it has are answered from it',
    path,
  ),
  ...REPORTING,
};

export type ProxyFlags = FlagsOf<typeof PROXY_OPTIONS & typeof NETWORK_OPTIONS>;

/** Of a command that makes reports from journals, without a request. */
export const JOURNAL_OPTIONS = {
  baseline: option('--baseline <file>', 'known failures (JSON), in place of those of the run', path),
  ...REPORTING,
};

export type JournalFlags = FlagsOf<typeof JOURNAL_OPTIONS>;

export const REPORT_OPTIONS = {
  rejudge: option(
    '--rejudge',
    'judge its answers with the checks of this release, and show what changed',
    toggle,
  ),
  checks: option('--checks <file>', 'with --rejudge: also with the checks that this module declares', path),
  har: option('--har <file>', "also write its exchanges as HAR 1.2, for a browser's developer tools", path),
  ...JOURNAL_OPTIONS,
};

export type ReportFlags = FlagsOf<typeof REPORT_OPTIONS>;

export const LIST_OPTIONS = {
  ...LISTING,
  checks: option('--checks <file>', 'also list those that this module declares', path),
};

export const EXPLAIN_OPTIONS = {
  checks: option('--checks <file>', 'module that declares the check, if it is one of your own', path),
};

export const DIFF_OPTIONS = LISTING;

export const LEARN_OPTIONS = {
  write: option(
    '--write <file>',
    'write the profile, and keep the rest of the file (default: print it)',
    path,
  ),
};
