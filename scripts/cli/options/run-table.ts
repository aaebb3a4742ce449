import * as kinds from './kinds.ts';
import type { OptionRows } from './option.ts';

/** Names of the usual sizes of a run, the smallest first. */
export const TIER_NAMES = ['free', 'smoke', 'full', 'exhaustive'] as const;

export type Tier = (typeof TIER_NAMES)[number];

/** What a run does only by leave. */
export const PERMISSIONS = ['disruptive', 'costly'] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Random draws are seeded with 32 bits, one of them the sign. */
export const LARGEST_SEED = 2 ** 31 - 1;

/** The largest delay of a timer. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** What is checked. */
export const SELECTION = {
  only: {
    flag: '--only <names>',
    setting: 'only',
    kind: kinds.names,
    says: 'check only these check IDs, clause IDs or sections (comma-separated)',
    isCommon: true,
  },
  skip: {
    flag: '--skip <names>',
    setting: 'skip',
    kind: kinds.names,
    says: 'skip these check IDs, clause IDs or sections',
  },
  checks: {
    flag: '--checks <file>',
    setting: 'checks',
    kind: kinds.path,
    says: 'also check what this module declares (docs/checks.md)',
    isRepeated: true,
  },
  send: {
    flag: '--send <kinds>',
    kind: kinds.names,
    says: 'send only these kinds of requests, as --plan names them',
  },
  lastFailed: {
    flag: '--last-failed',
    kind: kinds.toggle,
    says: 'check only what failed when this target was last checked',
    isCommon: true,
  },
  allow: {
    flag: '--allow <list>',
    setting: 'allow',
    kind: kinds.wordsOf(PERMISSIONS),
    says: `also send requests that are ${PERMISSIONS.join(' or ')}`,
    isRepeated: true,
  },
  seed: {
    flag: '--seed <n>',
    setting: 'seed',
    kind: kinds.integer(0, LARGEST_SEED),
    says: 'seed of the random inputs (default: random)',
    isRepeated: true,
  },
  tier: {
    flag: '--tier <size>',
    setting: 'tier',
    kind: kinds.wordOf(TIER_NAMES),
    says: `how much to send: ${TIER_NAMES.join(', ')}`,
    isCommon: true,
    isRepeated: true,
  },
  runs: {
    flag: '--runs <n|few|fewest>',
    setting: 'runs',
    kind: kinds.runs,
    says: 'inputs of each kind of request, as far as the limits allow: every known one and n random ones; few and fewest: some of the known ones, as --tier full and smoke',
    isRepeated: true,
  },
  shard: {
    flag: '--shard <i/n>',
    kind: kinds.shard,
    says: 'run part i of n of the checks and the limits; see merge',
  },
} as const satisfies OptionRows;

/** How much of it, and how fast. */
export const LIMITS = {
  concurrency: {
    flag: '--concurrency <n>',
    setting: 'concurrency',
    kind: kinds.integer(1, 1000),
    says: 'requests in flight at once',
  },
  timeout: {
    flag: '--timeout <ms>',
    setting: 'timeout',
    kind: kinds.integer(1, LONGEST_TIMEOUT_MS),
    says: 'time to wait for an answer; after it the outcome is uncertain',
  },
  maxTime: {
    flag: '--max-time <time>',
    setting: 'maxTime',
    kind: kinds.duration,
    says: 'send nothing more after this time, and end: 90s, 15m, 2h',
    isRepeated: true,
  },
  pace: {
    flag: '--pace <n/s|n/m>',
    setting: 'pace',
    kind: kinds.pace,
    says: 'most requests per second (n/s) or per minute (n/m)',
    isRepeated: true,
  },
  maxFailures: {
    flag: '--max-failures <n>',
    setting: 'maxFailures',
    kind: kinds.integer(1),
    says: 'stop once this many checks have failed',
  },
  maxRequests: {
    flag: '--max-requests <n>',
    setting: 'caps.requests',
    kind: kinds.integer(1),
    says: 'limit of requests',
  },
  maxCompletions: {
    flag: '--max-completions <n>',
    setting: 'caps.completions',
    kind: kinds.integer(0),
    says: 'limit of completions',
  },
  maxOutputTokens: {
    flag: '--max-output-tokens <n>',
    setting: 'caps.outputTokens',
    kind: kinds.integer(1),
    says: 'output tokens of one request, unless its check needs more',
    isRepeated: true,
  },
} as const satisfies OptionRows;
