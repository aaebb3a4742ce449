import type { Command } from 'commander';
import { STRICTER } from '../../suites/kit/model/run.ts';
import { LARGEST_SEED, PERMISSIONS, TIER_NAMES } from './options/check-flags.ts';
import { maxTimeOf } from './options/max-time.ts';
import { addNetworkOptions, paceOf } from './options/network-flags.ts';
import {
  draws,
  latency,
  integer,
  repeated,
  shardPlace,
  wordOf,
  commaSeparated,
  wordsOf,
} from './options/option-values.ts';
import { addKeyOptions } from './options/read-secret.ts';

/** The largest delay of a timer. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** An hour: more than any service takes to start. */
const LONGEST_WAIT_S = 3600;

function addTargetOptions(command: Command): Command {
  return addKeyOptions(command.optionsGroup('Target:'))
    .option('--target <name>', 'take the settings of this target from the configuration')
    .option('--config <file>', 'configuration (default: chat-conformance.config.{ts,json} here or above)')
    .option('--no-config', 'use no configuration')
    .option('--base-url <url>', 'service to check; ends in /v1')
    .option('--mock', 'check the bundled mock (default where nothing names a target and no key is set)')
    .option('--no-mock', 'never check the bundled mock: without a target, exit 2')
    .option(
      '--control-url <url>',
      'control API that arms faults and reads the workspace; requires --base-url',
    )
    .option('--profile <file>', 'facts about the target that the specification leaves open (JSON)')
    .option(
      '--header <name:value>',
      'add a header to every request; NAME:@FILE reads it, as a secret must be; repeatable',
      repeated,
    )
    .optionsGroup('The service here (docs/configuration.md):')
    .option(
      '--start <command>',
      'start the service, wait for it, and end it; {port}: a free port, in URLs too',
    )
    .option(
      '--wait <seconds>',
      'wait until the service answers (default: 60 with --start)',
      integer(1, LONGEST_WAIT_S),
    )
    .option(
      '--watch [paths...]',
      'check again on every change below these paths (default: all that git does not ignore)',
    );
}

function addSelectionOptions(command: Command): Command {
  return command
    .optionsGroup('What is checked:')
    .option(
      '--only <names>',
      'check only these check IDs, clause IDs or sections (comma-separated)',
      commaSeparated,
    )
    .option('--skip <names>', 'skip these check IDs, clause IDs or sections', commaSeparated)
    .option('--checks <file>', 'also check what this module declares (docs/checks.md)')
    .option('--send <kinds>', 'send only these kinds of requests, as --plan names them', commaSeparated)
    .option('--last-failed', 'check only what failed when this target was last checked')
    .option('--allow <list>', `also send requests that are ${PERMISSIONS.join(' or ')}`, wordsOf(PERMISSIONS))
    .option('--seed <n>', 'seed of the random inputs (default: random)', integer(0, LARGEST_SEED))
    .option('--tier <size>', `how much to send: ${TIER_NAMES.join(', ')}`, wordOf(TIER_NAMES))
    .option(
      '--runs <n|few|fewest>',
      'inputs of each kind of request, as far as the limits allow: every known one and n random ones; few and fewest: some of the known ones, as --tier full and smoke',
      draws,
    )
    .option('--shard <i/n>', 'run part i of n of the checks and the limits; see merge', shardPlace);
}

function addLimitOptions(command: Command): Command {
  return command
    .optionsGroup('Limits:')
    .option('--concurrency <n>', 'requests in flight at once', integer(1, 1000))
    .option(
      '--timeout <ms>',
      'time to wait for an answer; after it the outcome is uncertain',
      integer(1, LONGEST_TIMEOUT_MS),
    )
    .option('--max-time <time>', 'send nothing more after this time, and end: 90s, 15m, 2h', maxTimeOf)
    .option('--pace <n/s|n/m>', 'most requests per second (n/s) or per minute (n/m)', paceOf)
    .option('--max-failures <n>', 'stop once this many checks have failed', integer(1))
    .option('--max-requests <n>', 'limit of requests', integer(1))
    .option('--max-completions <n>', 'limit of completions', integer(0))
    .option(
      '--max-output-tokens <n>',
      'output tokens of one request, unless its check needs more',
      integer(1),
    );
}

function addReportOptions(command: Command): Command {
  return command
    .optionsGroup('Reports:')
    .option(
      '--report <dir>',
      'folder of the journal, report.json, junit.xml, summary.md and report.html (with --plan: plan.json; default: one for each run)',
    )
    .option('--show-config', 'print every effective setting and its source, and send nothing')
    .option(
      '--plan [latency]',
      'print the most that a run would send (2s: and its time at that latency)',
      latency,
    )
    .option('--json', 'print the plan or the settings as JSON')
    .option('--baseline <file>', 'known failures, which do not fail the run (JSON)')
    .option('--write-baseline <file>', 'write the failures as a baseline; keeps the reasons in the file')
    .option('--fail-on <list>', `also exit 1 on: ${STRICTER.join(', ')}`, wordsOf(STRICTER))
    .option('--quiet', 'print only failures and the outcome');
}

/** The options of a check, in the groups of `--help all`. */
export function addCheckOptions(command: Command): Command {
  const all = addNetworkOptions(
    addReportOptions(addLimitOptions(addSelectionOptions(addTargetOptions(command)))),
  );
  return all.optionsGroup('Options:');
}
