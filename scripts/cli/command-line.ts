import { Command, Option } from 'commander';
import { addCheckOptions } from './options/add-check-options.ts';
import { commandFailure, complaintLine } from './terminal/command-failure.ts';
import { CHECK_HELP } from './help-text.ts';
import { packageVersion } from './terminal/package-version.ts';
import { subcommands } from './subcommands.ts';
import { tolerateClosedPipes } from './terminal/tolerate-closed-pipes.ts';
import { UsageError } from './terminal/usage-error.ts';
import { noteLine } from './terminal/write-line.ts';

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
