import { OUTCOME_OPTIONS } from './check-table.ts';
import * as kinds from './kinds.ts';
import type { FlagsOf, OptionRows } from './option.ts';
import { LARGEST_SEED } from './run-table.ts';
import { NETWORK_OPTIONS, SECRET_OPTIONS } from './target-table.ts';

/** Ten minutes: more than any caller waits. */
const LONGEST_LATENCY_MS = 600_000;

/** An hour: more than any scenario takes. */
const LONGEST_DEADLINE_S = 3600;

/** Of every command that listens. */
const SERVER_OPTIONS = {
  port: {
    flag: '--port <n>',
    kind: kinds.integer(0, 65_535),
    says: 'port to listen on; 0: any free port',
    default: 0,
  },
  host: { flag: '--host <address>', kind: kinds.text, says: 'address to listen on', default: '127.0.0.1' },
} as const satisfies OptionRows;

export const MOCK_OPTIONS = {
  ...SERVER_OPTIONS,
  tls: {
    flag: '--tls [cert,key]',
    kind: kinds.textOrAlone,
    says: 'speak TLS: with a certificate of its own, or with that in these files (PEM)',
  },
  world: {
    flag: '--world <file>',
    kind: kinds.path,
    says: 'models, keys, workspaces, limits and open points (JSON)',
  },
  variant: {
    flag: '--variant <name>',
    kind: kinds.repeated,
    says: 'fill an open point in another way; repeatable',
  },
  seed: { flag: '--seed <n>', kind: kinds.integer(0), says: 'seed of the answers' },
  latency: {
    flag: '--latency <ms>',
    kind: kinds.integer(0, LONGEST_LATENCY_MS),
    says: 'milliseconds for each completion',
    default: 0,
  },
  latencyPerToken: {
    flag: '--latency-per-token <ms>',
    kind: kinds.integer(0, LONGEST_LATENCY_MS),
    says: 'milliseconds for each output token',
    default: 0,
  },
  fault: {
    flag: '--fault <rule>',
    kind: kinds.repeated,
    says: 'arm a fault: its name, then NAME=VALUE parameters; repeatable',
  },
  answer: {
    flag: '--answer <rule>',
    kind: kinds.repeated,
    says: 'choose an answer: a text, or NAME=VALUE parameters (docs/answers.md); repeatable',
  },
  defect: {
    flag: '--defect <name>',
    kind: kinds.once,
    says: 'break the specification in one way; "list" prints all defects',
  },
  scenario: {
    flag: '--scenario <file>',
    kind: kinds.path,
    says: 'faults and chosen answers, with their seed and world (JSON)',
  },
  log: {
    flag: '--log [format]',
    kind: kinds.wordOf(['text', 'json']),
    says: 'write a line for each request to stderr, for people (text) or as JSON (json)',
    alone: 'text',
  },
  control: {
    flag: '--control',
    kind: kinds.toggle,
    says: 'serve the control API at /control, the inspector at /control/ui, and keep journals',
  },
  open: { flag: '--open', kind: kinds.toggle, says: 'open the inspector in a browser; requires --control' },
  judge: {
    flag: '--judge',
    kind: kinds.toggle,
    says: 'judge the callers: at GET /control/judge, and at the end; implies --control',
  },
  controlToken: {
    flag: '--control-token <token>',
    kind: kinds.text,
    says: 'bearer token of control requests; CHAT_CONTROL_TOKEN is safer',
  },
} as const satisfies OptionRows;

export type MockFlags = FlagsOf<typeof MOCK_OPTIONS>;

/** Another name of a variable of the client. */
const variable = (what: string) => ({
  kind: kinds.repeated,
  says: `another variable to set to ${what}; repeatable`,
});

export const CALLER_OPTIONS = {
  scenario: {
    flag: '--scenario <names>',
    kind: kinds.names,
    says: 'play only these scenarios (comma-separated)',
  },
  report: { flag: '--report <dir>', kind: kinds.path, says: 'folder of the reports' },
  seed: {
    flag: '--seed <n>',
    kind: kinds.integer(0, LARGEST_SEED),
    says: 'seed of the keys and model IDs (default: random)',
  },
  deadline: {
    flag: '--deadline <s>',
    kind: kinds.integer(1, LONGEST_DEADLINE_S),
    says: 'time limit of one scenario, in seconds (default: 30)',
  },
  realTime: {
    flag: '--real-time',
    kind: kinds.toggle,
    says: 'let the client wait for the full 120 s when no answer comes',
  },
  envBaseUrl: { flag: '--env-base-url <name>', ...variable('the base URL') },
  envKey: { flag: '--env-key <name>', ...variable('the key') },
  envModel: { flag: '--env-model <name>', ...variable('a listed model ID') },
  timeline: {
    flag: '--timeline',
    kind: kinds.toggle,
    says: 'print everything that the client sent, even if it passed',
  },
  verbose: {
    flag: '--verbose',
    kind: kinds.toggle,
    says: 'print what each check says of each scenario, and what the client wrote',
  },
  ...OUTCOME_OPTIONS,
} as const satisfies OptionRows;

export type CallerFlags = FlagsOf<typeof CALLER_OPTIONS>;

export const PROXY_OPTIONS = {
  target: { flag: '--target <url>', kind: kinds.text, says: 'base URL of the service' },
  ...SERVER_OPTIONS,
  record: {
    flag: '--record <file>',
    kind: kinds.path,
    says: 'keep answers in this file, a world for mock --world; chats that it has are answered from it',
  },
  report: { flag: '--report <dir>', kind: kinds.path, says: 'folder of the journal and the reports' },
  controlTokenFile: {
    ...SECRET_OPTIONS.controlTokenFile,
    says: 'token of GET /__conformance, instead of CHAT_CONTROL_TOKEN',
  },
  ...OUTCOME_OPTIONS,
} as const satisfies OptionRows;

export type ProxyFlags = FlagsOf<typeof PROXY_OPTIONS & typeof NETWORK_OPTIONS>;

/** Of a command that makes reports from journals, without a request. */
export const JOURNAL_OPTIONS = {
  report: { flag: '--report <dir>', kind: kinds.path, says: 'folder of the reports' },
  baseline: {
    flag: '--baseline <file>',
    kind: kinds.path,
    says: 'known failures (JSON), in place of those of the run',
  },
  ...OUTCOME_OPTIONS,
} as const satisfies OptionRows;

export type JournalFlags = FlagsOf<typeof JOURNAL_OPTIONS>;

export const REPORT_OPTIONS = {
  rejudge: {
    flag: '--rejudge',
    kind: kinds.toggle,
    says: 'judge its answers with the checks of this release, and show what changed',
  },
  checks: {
    flag: '--checks <file>',
    kind: kinds.path,
    says: 'with --rejudge: also with the checks that this module declares',
  },
  har: {
    flag: '--har <file>',
    kind: kinds.path,
    says: "also write its exchanges as HAR 1.2, for a browser's developer tools",
  },
  ...JOURNAL_OPTIONS,
} as const satisfies OptionRows;

export const LIST_OPTIONS = {
  json: { flag: '--json', kind: kinds.toggle, says: 'as JSON' },
  checks: { flag: '--checks <file>', kind: kinds.path, says: 'also list those that this module declares' },
} as const satisfies OptionRows;

export const EXPLAIN_OPTIONS = {
  checks: {
    flag: '--checks <file>',
    kind: kinds.path,
    says: 'module that declares the check, if it is one of your own',
  },
} as const satisfies OptionRows;

export const DIFF_OPTIONS = {
  json: { flag: '--json', kind: kinds.toggle, says: 'as JSON' },
} as const satisfies OptionRows;

export const LEARN_OPTIONS = {
  write: {
    flag: '--write <file>',
    kind: kinds.path,
    says: 'write the profile, and keep the rest of the file (default: print it)',
  },
} as const satisfies OptionRows;
