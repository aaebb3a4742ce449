import { Command, Option } from 'commander';
import { STRICTER } from '../../suites/kit/model/run.ts';
import { CALLER_HELP, MOCK_HELP, JOURNAL_HELP, MERGE_HELP, PROXY_HELP } from './help-text.ts';
import { LARGEST_SEED } from './options/check-flags.ts';
import { addNetworkOptions } from './options/network-flags.ts';
import { integer, once, repeated, commaSeparated, wordsOf } from './options/option-values.ts';
import { UsageError } from './terminal/exit.ts';

/** Ten minutes: more than any caller waits. */
const LONGEST_WAIT_MS = 600_000;

// Every action loads what it needs when it runs, so that the mock does not wait for the suites.

function mockCommand(): Command {
  const command = new Command('mock').description('serve the mock until SIGTERM');
  return withAnswers(withServer(command))
    .addOption(
      new Option('--log [format]', 'write a line for each request to stderr, for people or as JSON')
        .choices(['text', 'json'])
        .preset('text'),
    )
    .option('--control', 'serve the control API at /control, the inspector at /control/ui, and keep journals')
    .option('--open', 'open the inspector in a browser; requires --control')
    .option('--judge', 'judge the callers: at GET /control/judge, and at the end; implies --control')
    .option('--control-token <token>', 'bearer token of control requests; CHAT_CONTROL_TOKEN is safer')
    .addHelpText('after', MOCK_HELP)
    .action(async (flags) => {
      const { runMockCommand, stopWithParent } = await import('./mock/mock-command.ts');
      stopWithParent();
      process.exitCode = await runMockCommand(flags);
    });
}

/** Where the mock serves, and what for a world. */
function withServer(command: Command): Command {
  return command
    .option('--port <n>', 'port to listen on; 0: any free port', integer(0, 65_535), 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--tls [cert,key]', 'speak TLS: with a certificate of its own, or with that in these files (PEM)')
    .option('--world <file>', 'models, keys, workspaces, limits and open points (JSON)')
    .option('--variant <name>', 'fill an open point in another way; repeatable', repeated)
    .option('--seed <n>', 'seed of the answers', integer(0))
    .option('--latency <ms>', 'milliseconds for each completion', integer(0, LONGEST_WAIT_MS), 0)
    .option('--latency-per-token <ms>', 'milliseconds for each output token', integer(0, LONGEST_WAIT_MS), 0);
}

/** What the mock answers, and how it fails. */
function withAnswers(command: Command): Command {
  return command
    .option('--fault <rule>', 'arm a fault: its name, then NAME=VALUE parameters; repeatable', repeated)
    .option(
      '--answer <rule>',
      'choose an answer: a text, or NAME=VALUE parameters (docs/answers.md); repeatable',
      repeated,
    )
    .option('--defect <name>', 'break the specification in one way; "list" prints all defects', once)
    .option('--scenario <file>', 'faults and chosen answers, with their seed and world (JSON)')
    .addOption(new Option('--record <url>').hideHelp().argParser(recordingLeft))
    .addOption(new Option('--recording <file>').hideHelp().argParser(recordingLeft));
}

/** What it did, the proxy does. */
function recordingLeft(): never {
  throw new UsageError(
    'recording is a part of the proxy: chat-conformance proxy --target URL --record FILE keeps answers, chat-conformance mock --world FILE gives them',
  );
}

/** An hour: more than any scenario takes. */
const LONGEST_DEADLINE_S = 3600;

function callerCommand(): Command {
  return new Command('caller')
    .description('check whether a client keeps its side of the specification')
    .usage('[options] -- COMMAND ARGS…')
    .argument('[command...]', 'command that starts the client; its base URL and key are in the environment')
    .passThroughOptions()
    .option('--scenario <names>', 'play only these scenarios (comma-separated)', commaSeparated)
    .option('--report <dir>', 'folder of the reports')
    .option('--seed <n>', 'seed of the keys and model IDs (default: random)', integer(0, LARGEST_SEED))
    .option(
      '--deadline <s>',
      'time limit of one scenario, in seconds (default: 30)',
      integer(1, LONGEST_DEADLINE_S),
    )
    .option('--real-time', 'let the client wait for the full 120 s when no answer comes')
    .option('--env-base-url <name>', 'another variable to set to the base URL; repeatable', repeated)
    .option('--env-key <name>', 'another variable to set to the key; repeatable', repeated)
    .option('--env-model <name>', 'another variable to set to a listed model ID; repeatable', repeated)
    .option('--fail-on <list>', `also exit 1 on: ${STRICTER.join(', ')}`, wordsOf(STRICTER))
    .option('--timeline', 'print everything that the client sent, even if it passed')
    .option('--verbose', 'print what each check says of each scenario, and what the client wrote')
    .option('--quiet', 'print only failures and the outcome')
    .addHelpText('after', CALLER_HELP)
    .action(async (command: readonly string[], flags) => {
      await (await import('./caller/caller-command.ts')).runCallerCommand(flags, command);
    });
}

function proxyCommand(): Command {
  const command = new Command('proxy')
    .description('judge callers and a service by the traffic between them')
    .option('--target <url>', 'base URL of the service')
    .option('--port <n>', 'port to listen on; 0: any free port', integer(0, 65_535), 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--record <file>',
      'keep answers in this file, a world for mock --world; chats that it has are answered from it',
    )
    .option('--report <dir>', 'folder of the journal and the reports')
    .option('--control-token-file <file>', 'token of GET /__conformance, instead of CHAT_CONTROL_TOKEN')
    .option('--fail-on <list>', `also exit 1 on: ${STRICTER.join(', ')}`, wordsOf(STRICTER))
    .option('--quiet', 'print only failures and the outcome')
    .addHelpText('after', PROXY_HELP)
    .action(async (flags) => (await import('./proxy/proxy-command.ts')).runProxyCommand(flags));
  return addNetworkOptions(command);
}

function listCommand(): Command {
  return new Command('list')
    .description('list every check, and every clause with its checks')
    .option('--json', 'as JSON')
    .option('--checks <file>', 'also list those that this module declares')
    .action(async (flags) => (await import('./reports/catalogue-commands.ts')).runListCommand(flags));
}

function explainCommand(): Command {
  return new Command('explain')
    .description('show what a check, a clause or an open point means, and how it is judged')
    .argument('<id>', 'such as REQ-6')
    .option('--checks <file>', 'module that declares the check, if it is one of your own')
    .action(async (id, flags) =>
      (await import('./reports/catalogue-commands.ts')).runExplainCommand(id, flags),
    );
}

function diffCommand(): Command {
  return new Command('diff')
    .description('show which verdicts changed between two reports, and why; exits 1 if one got worse')
    .argument('[before]', 'a report.json or its folder (default: the last two runs of one target)')
    .argument('[after]', 'report.json of a later run, or its folder')
    .option('--json', 'as JSON')
    .action(async (before, after, flags) => {
      process.exitCode = (await import('./reports/report-commands.ts')).runDiffCommand(before, after, flags);
    });
}

function profileCommand(): Command {
  const learn = new Command('learn')
    .description('pin the open points for which a run always observed the same; sends nothing')
    .argument('<report>', 'a report.json or its folder')
    .option('--write <file>', 'write the profile, and keep the rest of the file (default: print it)')
    .action(async (report, flags) =>
      (await import('./reports/report-commands.ts')).runLearnCommand(report, flags),
    );
  return new Command('profile')
    .description('profiles: facts about a target that the specification leaves open')
    .addCommand(learn);
}

function initCommand(): Command {
  return new Command('init')
    .description('write a commented configuration and a CI job')
    .action(async () => (await import('./config/init-command.ts')).runInitCommand());
}

export function subcommands(): readonly Command[] {
  return [
    mockCommand(),
    callerCommand(),
    proxyCommand(),
    listCommand(),
    explainCommand(),
    reportCommand(),
    mergeCommand(),
    ...goneCommands(),
    diffCommand(),
    profileCommand(),
    initCommand(),
  ];
}

/** What a command that makes reports from journals, without a request, can be told. */
function withReports(command: Command): Command {
  return command
    .option('--report <dir>', 'folder of the reports')
    .option('--baseline <file>', 'known failures (JSON), in place of those of the run')
    .option('--fail-on <list>', `also exit 1 on: ${STRICTER.join(', ')}`, wordsOf(STRICTER))
    .option('--quiet', 'print only failures and the outcome');
}

function reportCommand(): Command {
  const command = new Command('report')
    .description('make the reports of a run from its journal')
    .argument('[journal]', 'a journal or its report folder (default: the latest run)')
    .option('--rejudge', 'judge its answers with the checks of this release, and show what changed')
    .option('--checks <file>', 'with --rejudge: also with the checks that this module declares')
    .option('--har <file>', "also write its exchanges as HAR 1.2, for a browser's developer tools");
  return withReports(command)
    .addHelpText('after', JOURNAL_HELP)
    .action(async (path, flags) =>
      (await import('./journal/report-command.ts')).runReportCommand(path, flags),
    );
}

function mergeCommand(): Command {
  const command = new Command('merge')
    .description('join the journals of all shards into the journal and the reports of the whole run')
    .argument('<journals...>', 'journals or their report folders');
  return withReports(command)
    .addHelpText('after', MERGE_HELP)
    .action(async (paths, flags) =>
      (await import('./journal/merge-command.ts')).runMergeCommand(paths, flags),
    );
}

/** A command that is gone: its name says what to write in its place. */
function goneCommand(name: string, instead: string, message: string): Command {
  return new Command(name)
    .description(`use chat-conformance ${instead}`)
    .argument('[words...]')
    .allowUnknownOption()
    .action(() => {
      throw new UsageError(message);
    });
}

function goneCommands(): readonly Command[] {
  return [
    goneCommand(
      'replay',
      '--last-failed --only CHECK',
      'replay is a part of every run: chat-conformance --last-failed --only CHECK sends the input again that failed on the same --base-url or --target',
    ),
    goneCommand(
      'rejudge',
      'report --rejudge',
      'rejudge is an option of report: chat-conformance report --rejudge [JOURNAL]',
    ),
  ];
}
