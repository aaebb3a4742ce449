import type { Command } from 'commander';
import {
  type Caps,
  type RunOptions,
  type Runs,
  STRICTER,
  type Target,
} from '../../../suites/engine/model/run.ts';
import { headers } from './headers.ts';
import {
  duration,
  filledText,
  hosts,
  integer,
  LARGEST_SEED,
  names,
  pace,
  path,
  proxy,
  repeated,
  runs,
  text,
  toggle,
  wordOf,
  wordsOf,
} from './kinds.ts';
import { addOptions, type FlagsOf, option, setting } from './option.ts';
import { SECRET_OPTIONS } from './secrets.ts';

/** The timeout of the tested configuration, in milliseconds (CALL-6). */
export const TIMEOUT_MS = 120_000;

interface TierSize extends Pick<RunOptions, 'withholds'> {
  readonly runs: Runs;
  readonly caps: Caps;
  /** As `--max-time` is given. */
  readonly maxTime: string;
}

const TIER_NAMES = ['free', 'smoke', 'full', 'exhaustive'] as const;

export type Tier = (typeof TIER_NAMES)[number];

/**
 * The usual sizes. `free` asks for no completion. Its cap of one sends the chats that must be refused
 * one at a time, up to the first that is served.
 */
const TIERS: Readonly<Record<Tier, TierSize>> = {
  free: {
    runs: 'few',
    caps: { requests: 400, completions: 1, outputTokens: 16 },
    maxTime: '15m',
    withholds: 'completions',
  },
  smoke: { runs: 'fewest', caps: { requests: 130, completions: 45, outputTokens: 16 }, maxTime: '15m' },
  full: { runs: 'few', caps: { requests: 400, completions: 70, outputTokens: 16 }, maxTime: '30m' },
  exhaustive: { runs: 55, caps: { requests: 6000, completions: 1000, outputTokens: 64 }, maxTime: '2h' },
};

/** What a run does only by leave. */
export const PERMISSIONS = ['disruptive', 'costly'] as const;

/** Against the mock a size has no caps but that by which `free` asks for no completion. */
export function sizeOf(tier: Tier, kind: Target['kind']): TierSize {
  const size = TIERS[tier];
  if (kind === 'live') return size;
  const completions = size.withholds === undefined ? Infinity : size.caps.completions;
  return { ...size, caps: { ...size.caps, requests: Infinity, completions } };
}

/** The mock costs nothing, and no run is quicker with more in flight; another target costs money and serves others. */
export const DEFAULTS = {
  mock: { tier: 'exhaustive', concurrency: 8, allow: PERMISSIONS },
  live: { tier: 'full', concurrency: 4, allow: [] },
} as const;

/** The flags of a run against a target of this kind, where nothing else gives them: every run has a value of each. */
export function usualFlags(given: Tier | undefined, kind: Target['kind']) {
  const tier = given ?? DEFAULTS[kind].tier;
  const size = sizeOf(tier, kind);
  return {
    ...DEFAULTS[kind],
    tier,
    runs: size.runs,
    maxRequests: size.caps.requests,
    maxCompletions: size.caps.completions,
    maxOutputTokens: size.caps.outputTokens,
    timeout: TIMEOUT_MS,
    maxTime: size.maxTime,
  };
}

const TARGET = {
  ...SECRET_OPTIONS,
  target: option('--target <names>', text, 'check this target of the configuration, or several: A,B', {
    variable: 'CHAT_TARGET',
  }),
  config: option(
    '--config <file>',
    filledText,
    'configuration file (default: the nearest one here or above)',
    { variable: 'CHAT_CONFIG', saysNo: 'use no configuration' },
  ),
  baseUrl: option('--base-url <url>', text, 'service to check; ends in /v1', {
    variable: 'CHAT_BASE_URL',
    setting: true,
  }),
  mock: option('--mock', toggle, 'check the bundled mock (default where nothing names a target)', {
    saysNo: 'never check the bundled mock: without a target, exit 2',
  }),
  controlUrl: option('--control-url <url>', text, 'control API that arms faults and reads the workspace', {
    variable: 'CHAT_CONTROL_URL',
    setting: true,
  }),
  profile: setting('--profile <file>', path, 'what the target does where the specification is silent (JSON)'),
  header: setting(
    '--header <name:value>',
    headers,
    'add a header; NAME:@FILE for a secret; repeatable',
    'headers',
  ),
};

/** How it gets there, where it is on this machine. */
const SERVICE = {
  start: setting('--start <command>', filledText, 'start the service; {port}: a free port, in URLs too'),
  wait: setting('--wait <seconds>', integer(1, 3600), 'wait for the service (60 with --start or --watch)'),
};

const WATCH = {
  watch: option('--watch [paths...]', repeated, 'check again when a source file below these paths changes'),
};

const SELECTION = {
  only: setting('--only <names>', names, 'check only these check IDs, clause IDs or sections: A,B'),
  skip: setting('--skip <names>', names, 'skip these check IDs, clause IDs or sections'),
  send: option('--send <kinds>', names, 'send only these kinds of requests, as --plan names them'),
  lastFailed: option('--last-failed', toggle, 'check only what failed when this target was last checked'),
};

const SIZE = {
  checks: setting('--checks <file>', path, 'also run the checks in this module (docs/checks.md)'),
  allow: setting('--allow <list>', wordsOf(PERMISSIONS), `also send: ${PERMISSIONS.join(', ')}`),
  seed: setting('--seed <n>', integer(0, LARGEST_SEED), 'seed of the random inputs (default: random)'),
  tier: setting('--tier <size>', wordOf(TIER_NAMES), `how much to send: ${TIER_NAMES.join(', ')}`),
  runs: setting(
    '--runs <n>',
    runs,
    'random inputs per kind of request, besides all listed inputs; few, fewest: only some listed inputs',
  ),
};

const LIMITS = {
  concurrency: setting('--concurrency <n>', integer(1, 1000), 'maximum requests in flight at the same time'),
  timeout: setting('--timeout <ms>', integer(1, 2 ** 31 - 1), 'time to wait for an answer'),
  maxTime: setting('--max-time <time>', duration, 'stop sending after this time, then report: 90s, 15m, 2h'),
  pace: setting('--pace <n/s|n/m>', pace, 'maximum rate: requests per second (n/s) or minute (n/m)'),
  maxFailures: setting('--max-failures <n>', integer(1), 'stop once this many checks have failed'),
  maxRequests: setting('--max-requests <n>', integer(1), 'maximum number of requests', 'caps.requests'),
  maxCompletions: setting('--max-completions <n>', integer(0), 'maximum completions', 'caps.completions'),
  maxOutputTokens: setting('--max-output-tokens <n>', integer(1), 'maximum per request', 'caps.outputTokens'),
};

/** Of every command that ends with an outcome. */
export const OUTCOME_OPTIONS = {
  failOn: setting('--fail-on <list>', wordsOf(STRICTER), `also exit 1 on: ${STRICTER.join(', ')}`),
  quiet: option('--quiet', toggle, 'print only failures and the outcome'),
};

const REPORTS = {
  report: setting('--report <dir>', path, 'folder of the journal and reports (default: a new one each run)'),
  history: setting('--history <file>', path, 'outcomes of past runs (default: next to the reports)'),
  sourceFile: setting(
    '--source-file <file>',
    filledText,
    'file in your repository where GitHub and GitLab show failures (default: README.md)',
  ),
  showConfig: option('--show-config', toggle, 'print every setting and its source; send nothing'),
  plan: option('--plan', toggle, 'print the most that a run would send; send nothing'),
  json: option('--json', toggle, 'print the plan or the settings as JSON'),
  baseline: setting('--baseline <file>', path, 'known failures, which do not fail the run (JSON)'),
  writeBaseline: option('--write-baseline [file]', filledText, 'write failures (default: to --baseline)'),
  ...OUTCOME_OPTIONS,
};

/** How a command gets to its target. */
export const NETWORK_OPTIONS = {
  proxy: setting('--proxy <url>', proxy, 'proxy (default: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY)'),
  noProxy: setting('--no-proxy <hosts>', hosts, 'hosts to reach without a proxy (default: NO_PROXY)'),
  ca: setting('--ca <file>', path, 'additional certificate authorities to trust (PEM)', 'tls.ca'),
  cert: setting('--cert <file>', path, 'client certificate (PEM)', 'tls.cert'),
  certKey: setting(
    '--cert-key <file>',
    path,
    'private key of --cert, unless in the same file',
    'tls.certKey',
  ),
};

export const NETWORK_GROUP = 'Network (docs/network.md):';

/** Under the headings of `--help all`. */
const GROUPS = {
  'Target:': TARGET,
  'The service here (docs/configuration.md):': { ...SERVICE, ...WATCH },
  'What is checked:': { ...SELECTION, ...SIZE },
  'Limits:': LIMITS,
  'Reports:': REPORTS,
  [NETWORK_GROUP]: NETWORK_OPTIONS,
};

/** What a run of the bundled mock has no use for. */
export const ABOUT_SERVICE = {
  controlUrl: TARGET.controlUrl,
  ...SECRET_OPTIONS,
  ...SERVICE,
  ...NETWORK_OPTIONS,
};

/** What another run needs that is to send the same. */
export const REPEATED_OPTIONS = { ...TARGET, ...SERVICE, ...SIZE, ...LIMITS, ...NETWORK_OPTIONS };

export const CHECK_OPTIONS = { ...REPEATED_OPTIONS, ...WATCH, ...SELECTION, ...REPORTS };

/** What most runs need: one screen. */
const COMMON: ReadonlySet<string> = new Set<keyof typeof CHECK_OPTIONS>([
  ...(['target', 'baseUrl', 'start', 'watch', 'only', 'lastFailed', 'tier'] as const),
  ...(['report', 'plan', 'baseline', 'failOn', 'quiet'] as const),
]);

/** Adds the options of a check to a command; `isShort`: its help shows only the common ones. */
export function addCheckOptions(command: Command, isShort = false): Command {
  for (const [group, rows] of Object.entries(GROUPS)) {
    if (isShort) addOptions(command, rows, 'Common options:', COMMON);
    else addOptions(command, rows, group);
  }
  return command;
}

export type CheckFlags = FlagsOf<typeof CHECK_OPTIONS>;

/** The options of a check with what the environment and the configuration add, and the usual values. */
export type ResolvedFlags = CheckFlags &
  Required<Pick<CheckFlags, keyof ReturnType<typeof usualFlags>>> & {
    /** Where a configuration has the settings of the target, if there is one. */
    readonly place?: string | undefined;
    /** The names of all targets. */
    readonly targets: readonly string[];
    /** The folder of the configuration, in which its `start` runs. */
    readonly folder: string;
    /** Without what the configuration adds. */
    readonly given: CheckFlags;
    /** Where each value comes from. */
    readonly origins: Readonly<Partial<Record<string, string>>>;
  };

export type Stricter = (typeof STRICTER)[number];
