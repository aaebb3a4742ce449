import { Command, Option } from 'commander';
import { CHECK_HELP } from './help-text.ts';
import { addKeyOptions } from './options/add-key-options.ts';
import { LARGEST_SEED, PERMISSIONS, STRICTER, TIER_NAMES } from './options/check-flags.ts';
import { addNetworkOptions, paceOf } from './options/network-flags.ts';
import {
  draws,
  integer,
  repeated,
  shardPlace,
  wordOf,
  commaSeparated,
  wordsOf,
} from './options/option-values.ts';
import { subcommands } from './subcommands.ts';
import { commandFailure, complaintLine, UsageError } from './terminal/exit.ts';
import { tolerateLostOutput } from './terminal/lost-output.ts';
import { noteLine } from './terminal/output.ts';
import { packageVersion } from './terminal/package-version.ts';

/** Commander accepts an option of the check before a subcommand, where it would have no effect. */
function rejectMisplaced(check: Command): void {
  const given = check.options.find((option) => check.getOptionValueSource(option.attributeName()) === 'cli');
  if (given !== undefined) throw new UsageError(`${given.long} does not belong before a command`);
}

function unknownCommand(word: string, { commands }: Command): UsageError {
  // A word of another shape may be a key: it is not repeated.
  const name = /^[a-z-]{1,20}$/.test(word) ? ` "${word}"` : '';
  const known = commands.map((command) => command.name()).join(', ');
  return new UsageError(`unknown command${name}: the commands are ${known}`);
}

function checkCommand(): Command {
  return addCheckOptions(new Command('chat-conformance'))
    .description('Checks whether a chat-completion service keeps its specification.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .usage('[options]   or   chat-conformance COMMAND')
    .addOption(new Option('--api-key [key]').hideHelp())
    .enablePositionalOptions()
    .allowExcessArguments()
    .addHelpText('after', CHECK_HELP)
    .hook('preSubcommand', rejectMisplaced)
    .action(async ({ apiKey, ...flags }, command: Command) => {
      if (apiKey !== undefined)
        throw new UsageError('other users can see a key on the command line: set CHAT_API_KEY instead');
      const [word] = command.args;
      if (word !== undefined) throw unknownCommand(word, command);
      if (flags.watch !== undefined && flags.showConfig !== true)
        await (await import('./watch/watch-command.ts')).runWatchCommand(flags);
      else await (await import('./check/check-command.ts')).runCheckCommand(flags);
    });
}

/** Runs the command that the arguments name, and sets the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  tolerateLostOutput();
  const check = checkCommand();
  for (const subcommand of subcommands()) check.addCommand(subcommand);
  const commands = [check, ...check.commands, ...check.commands.flatMap((each) => each.commands)];
  for (const command of commands) {
    command.exitOverride().configureOutput({ outputError: (text) => noteLine(complaintLine(text)) });
  }
  try {
    await check.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = commandFailure(error);
  }
}

/** The largest delay of a timer. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** An hour: more than any service takes to start. */
const LONGEST_WAIT_S = 3600;

function addTargetOptions(command: Command): Command {
  return addKeyOptions(command)
    .option('--target <name>', 'take the settings of this target from the configuration')
    .option('--config <file>', 'configuration (default: chat-conformance.config.{ts,json} here or above)')
    .option('--no-config', 'use no configuration')
    .option('--base-url <url>', 'service to check; ends in /v1 (default: the embedded mock)')
    .option(
      '--control-url <url>',
      'control API that arms faults and reads the workspace; requires --base-url',
    )
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
    )
    .option('--profile <file>', 'facts about the target that the specification leaves open (JSON)')
    .option(
      '--header <name:value>',
      'add a header to every request; NAME:@FILE reads it; repeatable',
      repeated,
    );
}

function addSelectionOptions(command: Command): Command {
  return command
    .option(
      '--only <names>',
      'check only these check IDs, clause IDs or sections (comma-separated)',
      commaSeparated,
    )
    .option('--skip <names>', 'skip these check IDs, clause IDs or sections', commaSeparated)
    .option('--send <kinds>', 'send only these kinds of requests, as --plan names them', commaSeparated)
    .option('--last-failed', 'check only what failed when this target was last checked')
    .option('--allow <list>', `also send requests that are ${PERMISSIONS.join(' or ')}`, wordsOf(PERMISSIONS))
    .option('--seed <n>', 'seed of the random inputs (default: random)', integer(0, LARGEST_SEED))
    .option('--tier <size>', `how much to send: ${TIER_NAMES.join(', ')}`, wordOf(TIER_NAMES))
    .option(
      '--runs <n|few|fewest>',
      'per kind of request send every known input and n random ones, as far as the limits allow; few and fewest: some of the known ones, as --tier full and smoke',
      draws,
    )
    .option('--shard <i/n>', 'run part i of n of the checks and the limits; see merge', shardPlace);
}

function addLimitOptions(command: Command): Command {
  return command
    .option('--concurrency <n>', 'requests in flight at once', integer(1, 1000))
    .option(
      '--timeout <ms>',
      'time to wait for an answer; after it the outcome is uncertain',
      integer(1, LONGEST_TIMEOUT_MS),
    )
    .option('--pace <n/s|n/m>', 'send no more requests than this a second or a minute', paceOf)
    .option('--max-failures <n>', 'send nothing more once so many checks have failed', integer(1))
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
    .option(
      '--report <dir>',
      'folder of the journal, report.json, junit.xml, summary.md and report.html (with --plan: plan.json; default: one for each run)',
    )
    .option('--show-config', 'print every setting that holds and where it comes from, and send nothing')
    .option('--plan', 'print the most that a run would send, and send nothing')
    .option('--json', 'print the plan or the settings as JSON')
    .option('--baseline <file>', 'known failures, which do not fail the run (JSON)')
    .option('--write-baseline <file>', 'write the failures as a baseline; keeps the reasons in the file')
    .option('--fail-on <list>', `also exit 1 on: ${STRICTER.join(', ')}`, wordsOf(STRICTER))
    .option('--quiet', 'print only failures and the outcome');
}

export function addCheckOptions(command: Command): Command {
  return addNetworkOptions(addReportOptions(addLimitOptions(addSelectionOptions(addTargetOptions(command)))));
}
