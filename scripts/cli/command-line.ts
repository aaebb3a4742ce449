import { Command, Option } from 'commander';
import { CHECK_HELP, SHORT_CHECK_HELP } from './help-text.ts';
import { addCheckOptions } from './options/check-table.ts';
import { subcommands } from './subcommands.ts';
import { commandFailure, complaintLine, UsageError, tolerateLostOutput } from './terminal/exit.ts';
import { noteLine, writeLine } from './terminal/output.ts';
import { packageVersion } from './terminal/own-package.ts';

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

function checkCommand(isShort: boolean): Command {
  return addCheckOptions(new Command('chat-conformance'), isShort)
    .description('Checks whether a chat-completion service keeps its specification.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help; --help all: every option')
    .usage('[options]   or   chat-conformance COMMAND')
    .addOption(new Option('--api-key [key]').hideHelp())
    .enablePositionalOptions()
    .allowExcessArguments()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', isShort ? SHORT_CHECK_HELP : CHECK_HELP)
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

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** Runs the command that the arguments name, and sets the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  tolerateLostOutput();
  // Without help, what it shows decides only which names a mistyped option is compared with.
  const operands = args.indexOf('--');
  const own = operands === -1 ? args : args.slice(0, operands);
  const asked = own.findIndex(isHelp);
  if (asked !== -1 && args[0] === 'mock' && args[asked + 1] === 'faults') {
    const { faultHelp } = await import('./mock/fault-help.ts');
    writeLine(faultHelp().trimEnd());
    return;
  }
  const check = checkCommand(asked !== -1 && args[asked + 1] !== 'all');
  for (const subcommand of subcommands()) check.addCommand(subcommand);
  const commands = [check, ...check.commands, ...check.commands.flatMap((each) => each.commands)];
  for (const command of commands) {
    // After an unknown option, Commander looks for help among all words, operands too.
    if (asked === -1 && args.some(isHelp)) command.helpOption(false);
    command.exitOverride().configureOutput({
      writeOut: (text) => writeLine(text.replace(/\n$/, '')),
      outputError: (text) => noteLine(complaintLine(text)),
    });
  }
  try {
    await check.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = commandFailure(error);
  }
}
