import { duration, integer, names, pace, path, runs, shard, toggle, wordOf, wordsOf } from './kinds.ts';
import { option } from './option.ts';

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

/** Which part of a run. */
export const SELECTION = {
  only: option(
    '--only <names>',
    'check only these check IDs, clause IDs or sections (comma-separated)',
    names,
    { setting: 'only', isCommon: true },
  ),
  skip: option('--skip <names>', 'skip these check IDs, clause IDs or sections', names, { setting: 'skip' }),
  send: option('--send <kinds>', 'send only these kinds of requests, as --plan names them', names),
  lastFailed: option('--last-failed', 'check only what failed when this target was last checked', toggle, {
    isCommon: true,
  }),
  shard: option('--shard <i/n>', 'run part i of n of the checks and the limits; see merge', shard),
};

/** What a whole run sends. */
export const SIZE = {
  checks: option('--checks <file>', 'also check what this module declares (docs/checks.md)', path, {
    setting: 'checks',
  }),
  allow: option(
    '--allow <list>',
    `also send requests that are ${PERMISSIONS.join(' or ')}`,
    wordsOf(PERMISSIONS),
    { setting: 'allow' },
  ),
  seed: option('--seed <n>', 'seed of the random inputs (default: random)', integer(0, LARGEST_SEED), {
    setting: 'seed',
  }),
  tier: option('--tier <size>', `how much to send: ${TIER_NAMES.join(', ')}`, wordOf(TIER_NAMES), {
    setting: 'tier',
    isCommon: true,
  }),
  runs: option(
    '--runs <n|few|fewest>',
    'inputs of each kind of request, as far as the limits allow: every known one and n random ones; few and fewest: some of the known ones, as --tier full and smoke',
    runs,
    { setting: 'runs' },
  ),
};

/** How much of it, and how fast. */
export const LIMITS = {
  concurrency: option('--concurrency <n>', 'requests in flight at once', integer(1, 1000), {
    setting: 'concurrency',
  }),
  timeout: option(
    '--timeout <ms>',
    'time to wait for an answer; after it the outcome is uncertain',
    integer(1, LONGEST_TIMEOUT_MS),
    { setting: 'timeout' },
  ),
  maxTime: option('--max-time <time>', 'send nothing more after this time, and end: 90s, 15m, 2h', duration, {
    setting: 'maxTime',
  }),
  pace: option('--pace <n/s|n/m>', 'most requests per second (n/s) or per minute (n/m)', pace, {
    setting: 'pace',
  }),
  maxFailures: option('--max-failures <n>', 'stop once this many checks have failed', integer(1), {
    setting: 'maxFailures',
  }),
  maxRequests: option('--max-requests <n>', 'limit of requests', integer(1), { setting: 'caps.requests' }),
  maxCompletions: option('--max-completions <n>', 'limit of completions', integer(0), {
    setting: 'caps.completions',
  }),
  maxOutputTokens: option(
    '--max-output-tokens <n>',
    'output tokens of one request, unless its check needs more',
    integer(1),
    { setting: 'caps.outputTokens' },
  ),
};
