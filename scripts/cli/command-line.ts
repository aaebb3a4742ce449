import { Command, Option } from 'commander';
import * as help from './help-text.ts';
import { addCheckOptions, NETWORK_GROUP, NETWORK_OPTIONS } from './options/check-table.ts';
import * as options from './options/command-tables.ts';
import { addOptions, type OptionRows } from './options/option.ts';
import { packageVersion } from './terminal/own-package.ts';
import {
  commandFailure,
  complaintLine,
  noteLine,
  tolerateLostOutput,
  UsageError,
  writeLine,
} from './terminal/terminal.ts';

// Every action loads what it needs when it runs, so that the mock does not wait for the suites.
const journals = () => import('./reports/journal-commands.ts');
const reports = () => import('./reports/report-commands.ts');

/** `text`: what stands below its options. */
function command(name: string, rows: OptionRows = {}, text = ''): Command {
  return addOptions(new Command(name), rows).addHelpText('after', text);
}

/** Every command but the check. */
export function subcommands(): readonly Command[] {
  return [...serving(), ...reading()];
}

/** What serves, sends, or starts a program. */
function serving(): readonly Command[] {
  return [
    command('mock', options.MOCK_OPTIONS, help.MOCK_HELP)
      .description('serve the mock until SIGTERM, or while a command runs')
      .usage('[options] [-- COMMAND ARGS…]')
      .argument('[command...]', 'command to run; the base URL and key of the mock are in its environment')
      .passThroughOptions()
      .action(async (words, flags) => (await import('./mock/mock-command.ts')).runMockCommand(flags, words)),
    command('caller', options.CALLER_OPTIONS, help.CALLER_HELP)
      .description('check whether a client keeps its side of the specification')
      .usage('[options] -- COMMAND ARGS…')
      .argument('[command...]', 'command that starts the client; its base URL and key are in the environment')
      .passThroughOptions()
      .action(async (words, flags) =>
        (await import('./caller/caller-command.ts')).runCallerCommand(flags, words),
      ),
    addOptions(command('proxy', options.PROXY_OPTIONS, help.PROXY_HELP), NETWORK_OPTIONS, NETWORK_GROUP)
      .description('judge callers and a service by the traffic between them')
      .action(async (flags) => (await import('./proxy/proxy-command.ts')).runProxyCommand(flags)),
  ];
}

/** What only reads and writes files. */
function reading(): readonly Command[] {
  const learn = command('learn', options.LEARN_OPTIONS)
    .description('pin the open points at which a run always observed the same behaviour; sends nothing')
    .argument('<report>', 'a report.json or its folder')
    .action(async (report, flags) => (await reports()).runLearnCommand(report, flags));
  return [
    command('list', options.LIST_OPTIONS)
      .description('list every check, and every clause with its checks')
      .action(async (flags) => (await import('./reports/catalogue-commands.ts')).runListCommand(flags)),
    command('explain', options.EXPLAIN_OPTIONS)
      .description(
        'show what a check, clause, section, kind of requests or open point means: an example, limits, remedies',
      )
      .argument('<name>', 'such as REQ-6')
      .action(async (name, flags) => {
        const asked = await (await import('./reports/explain-command.ts')).runExplainCommand(name, flags);
        if (flags.target === undefined) return;
        writeLine('');
        await (await import('./check/check-command.ts')).runCheckCommand({ ...flags, ...asked, plan: true });
      }),
    command('report', options.REPORT_OPTIONS, help.JOURNAL_HELP)
      .description('write the reports of a run from its journal')
      .argument('[journal]', 'a journal or its report folder (default: the latest run)')
      .action(async (path, flags) => (await journals()).runReportCommand(path, flags)),
    command('diff', options.DIFF_OPTIONS)
      .description('show which verdicts differ between two reports, and why; exits 1 if one got worse')
      .argument(
        '[before]',
        'a report.json, its folder, or a target: its latest run (default: the last two runs of one target)',
      )
      .argument('[after]', 'likewise, for a later run or another target')
      .action(async (before, after, flags) => (await reports()).runDiffCommand(before, after, flags)),
    command('profile')
      .description('manage profiles: what a target does where the specification is silent')
      .addCommand(learn),
    command('init')
      .description('write a commented configuration')
      .action(async () => (await import('./config/init-command.ts')).runInitCommand()),
  ];
}

/** Commander accepts an option of the check before a subcommand, where it would have no effect. */
function rejectMisplaced(check: Command): void {
  const given = check.options.find((option) => check.getOptionValueSource(option.attributeName()) === 'cli');
  if (given !== undefined) throw new UsageError(`${given.long} does not belong before a command`);
}

function rejectUnknown({ args: [word], commands }: Command): void {
  if (word === undefined) return;
  // A word of another shape may be a key: it is not repeated.
  const name = /^[a-z-]{1,20}$/.test(word) ? ` "${word}"` : '';
  const known = commands.map((each) => each.name()).join(', ');
  throw new UsageError(`unknown command${name}: the commands are ${known}`);
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
    .configureHelp({ subcommandTerm: (each) => each.name() })
    .addHelpText('after', isShort ? help.SHORT_CHECK_HELP : help.CHECK_HELP)
    .hook('preSubcommand', rejectMisplaced)
    .action(async ({ apiKey, ...flags }, check: Command) => {
      if (apiKey !== undefined)
        throw new UsageError('other users can see a key on the command line: set CHAT_API_KEY instead');
      rejectUnknown(check);
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
  const check = checkCommand(asked !== -1 && args[asked + 1] !== 'all');
  for (const subcommand of subcommands()) check.addCommand(subcommand);
  for (const each of [check, ...check.commands, ...check.commands.flatMap(({ commands }) => commands)]) {
    // After an unknown option, Commander looks for help among all words, operands too.
    if (asked === -1 && args.some(isHelp)) each.helpOption(false);
    each.exitOverride().configureOutput({
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
