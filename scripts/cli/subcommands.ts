import { Command } from 'commander';
import { LARGEST_SEED, STRICTER } from './options/check-flags.ts';
import { CALLER_HELP, MOCK_HELP, JOURNAL_HELP, MERGE_HELP, REPLAY_HELP } from './help-text.ts';
import { integer, once, repeated, words, wordsOf } from './options/option-values.ts';

/** Ten minutes: more than any caller waits. */
const LONGEST_WAIT_MS = 600_000;

// Every action loads what it needs when it is called, so that the mock waits for no suites.

function mockCommand(): Command {
  return new Command('mock')
    .description('serve the mock until SIGTERM')
    .option('--port <n>', 'port to listen on; 0 takes a free one', integer(0, 65_535), 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--world <file>', 'models, keys, workspaces, limits and open points (JSON)')
    .option('--variant <name>', 'another way to fill an open point; may be given again', repeated)
    .option('--seed <n>', 'what every answer is drawn from', integer(0))
    .option('--latency <ms>', 'milliseconds that each completion takes', integer(0, LONGEST_WAIT_MS), 0)
    .option(
      '--latency-per-token <ms>',
      'milliseconds that each token of output takes',
      integer(0, LONGEST_WAIT_MS),
      0,
    )
    .option('--fault <rule>', 'arm a fault: its name, then NAME=VALUE; may be given again', repeated)
    .option('--defect <name>', 'break the specification in one way; list shows all of them', once)
    .option('--scenario <file>', 'faults, and the seed and world in which they strike (JSON)')
    .option('--control', 'serve the control API at /control, and keep journals')
    .option('--judge', 'judge whoever calls: GET /control/judge, and at the end; brings --control')
    .option('--control-token <token>', 'what control requests must bear; better: CHAT_CONTROL_TOKEN')
    .addHelpText('after', MOCK_HELP)
    .action(async (flags) => {
      const { stopWithParent } = await import('./mock/mock-command.ts');
      const { runMockCommand } = await import('./mock/mock-command.ts');
      stopWithParent();
      process.exitCode = await runMockCommand(flags);
    });
}

/** An hour: more than any scenario takes. */
const LONGEST_DEADLINE_S = 3600;

function callerCommand(): Command {
  return new Command('caller')
    .description('does a client keep its side of the specification?')
    .usage('[options] -- COMMAND ARGS…')
    .argument('[command...]', 'what starts the client; it finds its base URL and key in the environment')
    .passThroughOptions()
    .option('--scenario <names>', 'play only these, comma-separated', words)
    .option('--report <dir>', 'write the reports there')
    .option(
      '--seed <n>',
      'what keys and model IDs are drawn from; random unless given',
      integer(0, LARGEST_SEED),
    )
    .option(
      '--deadline <s>',
      'seconds that one scenario may take; 30 unless given',
      integer(1, LONGEST_DEADLINE_S),
    )
    .option('--real-time', 'let the client wait its real 120 s where no answer comes')
    .option('--env-base-url <name>', 'a variable that gets the base URL too; may be repeated', repeated)
    .option('--env-key <name>', 'a variable that gets the key too; may be repeated', repeated)
    .option('--quiet', 'print only failures and the outcome')
    .addHelpText('after', CALLER_HELP)
    .action(async (command: readonly string[], flags) => {
      await (await import('./caller/caller-command.ts')).runCallerCommand(flags, command);
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('every check, and every clause with what stands for it')
    .option('--json', 'as JSON')
    .action(async (flags) => (await import('./reports/list-command.ts')).runListCommand(flags));
}

function explainCommand(): Command {
  return new Command('explain')
    .description('what a check, a clause or an open point is about, and how it is judged')
    .argument('<id>', 'such as REQ-6')
    .action(async (id) => (await import('./reports/explain-command.ts')).runExplainCommand(id));
}

function diffCommand(): Command {
  return new Command('diff')
    .description('which verdicts changed between two reports, and why; exit code 1 when something got worse')
    .argument('<before>', 'a report.json, or the folder it is in')
    .argument('<after>', 'the same, of a later run')
    .option('--json', 'as JSON')
    .action(async (before, after, flags) => {
      process.exitCode = (await import('./reports/diff-command.ts')).runDiffCommand(before, after, flags);
    });
}

function profileCommand(): Command {
  const learn = new Command('learn')
    .description('pin every open point to what a run observed, where that was always the same; sends nothing')
    .argument('<report>', 'a report.json, or the folder it is in')
    .option('--write <file>', 'write it there, keeping what the file says beside; without: print it')
    .action(async (report, flags) =>
      (await import('./reports/profile-command.ts')).runLearnCommand(report, flags),
    );
  return new Command('profile')
    .description('what is known of a target beyond the specification')
    .addCommand(learn);
}

/** What the command does beside checking. */
export function subcommands(): readonly Command[] {
  return [
    mockCommand(),
    callerCommand(),
    listCommand(),
    explainCommand(),
    ...journalCommands(),
    diffCommand(),
    profileCommand(),
  ];
}

/** A command that makes reports from what a journal holds, without a request. */
function journalCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<journal>', 'a journal, or the report folder that it is in')
    .option('--report <dir>', 'write the reports there')
    .option('--fail-on <list>', `exit 1 on these too: ${STRICTER.join(', ')}`, wordsOf(STRICTER))
    .option('--quiet', 'print only failures and the outcome')
    .addHelpText('after', JOURNAL_HELP);
}

function reportCommand(): Command {
  return journalCommand('report', 'make every report of a run from its journal').action(async (path, flags) =>
    (await import('./journal/recorded-commands.ts')).runReportCommand(path, flags),
  );
}

function rejudgeCommand(): Command {
  return journalCommand('rejudge', 'judge what an old run saw with the checks of this release').action(
    async (path, flags) => (await import('./journal/recorded-commands.ts')).runRejudgeCommand(path, flags),
  );
}

function mergeCommand(): Command {
  return new Command('merge')
    .description('join the journals of all shards to one report, and one journal, of the whole run')
    .argument('<journals...>', 'journals, or the report folders that they are in')
    .option('--report <dir>', 'write the journal and the reports of the whole run there')
    .option('--baseline <file>', 'known failures: they do not fail the run (JSON)')
    .option('--fail-on <list>', `exit 1 on these too: ${STRICTER.join(', ')}`, wordsOf(STRICTER))
    .option('--quiet', 'print only failures and the outcome')
    .addHelpText('after', MERGE_HELP)
    .action(async (paths, flags) =>
      (await import('./journal/merge-command.ts')).runMergeCommand(paths, flags),
    );
}

function replayCommand(): Command {
  return new Command('replay')
    .description('send the requests behind a failure again, and say whether it still fails')
    .argument('<report>', 'a report folder, its report.json, or a journal')
    .argument('<check>', 'the ID of a check that failed')
    .option('--base-url <url>', 'send them there in place of the target of that run')
    .option('--control-url <url>', 'where that target is controlled')
    .option('--api-key-file <file>', 'read the key from a file in place of CHAT_API_KEY')
    .option('--header <name:value>', 'send this with every request; may be repeated', repeated)
    .addHelpText('after', REPLAY_HELP)
    .action(async (path, check, flags) =>
      (await import('./journal/replay-command.ts')).runReplayCommand(path, check, flags),
    );
}

/** What is made of journals: reports of one or of many, and requests that go out again. */
export function journalCommands(): readonly Command[] {
  return [reportCommand(), rejudgeCommand(), mergeCommand(), replayCommand()];
}
