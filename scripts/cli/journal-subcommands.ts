import { Command } from 'commander';
import { STRICTER } from './options/check-flags.ts';
import { JOURNAL_HELP, MERGE_HELP, REPLAY_HELP } from './help-text.ts';
import { repeated, wordsOf } from './options/option-values.ts';

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
    (await import('./journal/report-command.ts')).runReportCommand(path, flags),
  );
}

function rejudgeCommand(): Command {
  return journalCommand('rejudge', 'judge what an old run saw with the checks of this release').action(
    async (path, flags) => (await import('./journal/rejudge-command.ts')).runRejudgeCommand(path, flags),
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
