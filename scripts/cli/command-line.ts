import { Command, Option } from 'commander';
import { commandFailure, complaintLine, UsageError } from './terminal/exit.ts';
import { CHECK_HELP } from './help-text.ts';
import { packageVersion } from './terminal/package-version.ts';
import { subcommands } from './subcommands.ts';
import { tolerateClosedPipes, noteLine } from './terminal/output.ts';
import { LARGEST_SEED, PERMISSIONS, STRICTER, TIER_NAMES } from './options/check-flags.ts';
import { draws, integer, repeated, shardPlace, wordOf, words, wordsOf } from './options/option-values.ts';

/** Commander would take an option of the check before a subcommand, and nobody would heed it. */
function rejectMisplaced(check: Command): void {
  const given = check.options.find((option) => check.getOptionValueSource(option.attributeName()) === 'cli');
  if (given !== undefined) throw new UsageError(`${given.long} does not belong before a command`);
}

function unknownCommand(word: string, { commands }: Command): UsageError {
  // A word of another shape may be a key that went astray: it is not repeated.
  const name = /^[a-z-]{1,20}$/.test(word) ? ` "${word}"` : '';
  const known = commands.map((command) => command.name()).join(', ');
  return new UsageError(`unknown command${name}: the commands are ${known}`);
}

function checkCommand(): Command {
  return addCheckOptions(new Command('chat-conformance'))
    .description('Does a chat-completion service keep its specification?')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .usage('[options]   or   chat-conformance COMMAND')
    .addOption(new Option('--api-key [key]').hideHelp())
    .enablePositionalOptions()
    .allowExcessArguments()
    .addHelpText('after', CHECK_HELP)
    .hook('preSubcommand', rejectMisplaced)
    .action(async ({ apiKey, ...flags }, command: Command) => {
      if (apiKey !== undefined)
        throw new UsageError('a key on the command line can be seen by others: set CHAT_API_KEY');
      const [word] = command.args;
      if (word !== undefined) throw unknownCommand(word, command);
      await (await import('./check/check-command.ts')).runCheckCommand(flags);
    });
}

/** Reads the arguments, runs what they ask for, and sets the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  tolerateClosedPipes();
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

/** What a timer can hold. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

function addTargetOptions(command: Command): Command {
  return command
    .option('--base-url <url>', 'the service to check; ends in /v1 (without: the mock that comes with it)')
    .option('--control-url <url>', 'where faults are armed and the workspace is read; needs --base-url')
    .option('--api-key-file <file>', 'read the key from a file in place of CHAT_API_KEY')
    .option('--profile <file>', 'what is known of the target beyond the specification (JSON)')
    .option('--header <name:value>', 'send this with every request; may be repeated', repeated);
}

function addSelectionOptions(command: Command): Command {
  return command
    .option('--only <names>', 'check IDs, clause IDs or sections to check, comma-separated', words)
    .option('--skip <names>', 'the same, to leave out', words)
    .option('--allow <list>', `also do what is ${PERMISSIONS.join(', ')}`, wordsOf(PERMISSIONS))
    .option('--seed <n>', 'what inputs are drawn from; random unless given', integer(0, LARGEST_SEED))
    .option('--tier <size>', `how much is sent: ${TIER_NAMES.join(', ')}`, wordOf(TIER_NAMES))
    .option('--runs <n|few|fewest>', 'random draws of each kind of request', draws)
    .option('--shard <i/n>', 'the part of the checks and the caps for job i of n; see merge', shardPlace);
}

function addLimitOptions(command: Command): Command {
  return command
    .option('--concurrency <n>', 'requests under way at once', integer(1, 1000))
    .option(
      '--timeout <ms>',
      'how long an answer may take; then its outcome is uncertain',
      integer(1, LONGEST_TIMEOUT_MS),
    )
    .option('--max-requests <n>', 'send no more requests than this', integer(1))
    .option('--max-completions <n>', 'ask for no more completions than this', integer(0))
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
      'keep the journal there, and write report.json, junit.xml, summary.md and report.html (with --plan: plan.json)',
    )
    .option('--plan', 'print what would be sent at most, and send nothing')
    .option('--json', 'print the plan as JSON')
    .option('--baseline <file>', 'known failures: they do not fail the run (JSON)')
    .option('--write-baseline <file>', 'write such a file, keeping the reasons it has')
    .option('--fail-on <list>', `exit 1 on these too: ${STRICTER.join(', ')}`, wordsOf(STRICTER))
    .option('--quiet', 'print only failures and the outcome');
}

/** Gives a command the options of a check. */
export function addCheckOptions(command: Command): Command {
  return addReportOptions(addLimitOptions(addSelectionOptions(addTargetOptions(command))));
}
