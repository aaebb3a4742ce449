import { Command } from 'commander';
import { CALLER_HELP, JOURNAL_HELP, MERGE_HELP, MOCK_HELP, PROXY_HELP } from './help-text.ts';
import { NETWORK_GROUP, NETWORK_OPTIONS } from './options/check-table.ts';
import * as options from './options/command-tables.ts';
import { addOptions, type OptionRows } from './options/option.ts';

// Every action loads what it needs when it runs, so that the mock does not wait for the suites.
const mock = () => import('./mock/mock-command.ts');
const caller = () => import('./caller/caller-command.ts');
const proxy = () => import('./proxy/proxy-command.ts');
const list = () => import('./reports/list-command.ts');
const explain = () => import('./reports/explain-command.ts');
const journals = () => import('./journal/journal-commands.ts');
const reports = () => import('./reports/report-commands.ts');
const init = () => import('./config/init-command.ts');

export function subcommands(): readonly Command[] {
  return [...serving(), ...reading()];
}

/** `help` stands below the options. */
function command(name: string, rows: OptionRows = {}, help = ''): Command {
  return addOptions(new Command(name), rows).addHelpText('after', help);
}

/** What serves, sends, or starts a program. */
function serving(): readonly Command[] {
  return [
    command('mock', options.MOCK_OPTIONS, MOCK_HELP)
      .description('serve the mock until SIGTERM')
      .action(async (flags) => (await mock()).runMockCommand(flags)),
    command('caller', options.CALLER_OPTIONS, CALLER_HELP)
      .description('check whether a client keeps its side of the specification')
      .usage('[options] -- COMMAND ARGS…')
      .argument('[command...]', 'command that starts the client; its base URL and key are in the environment')
      .passThroughOptions()
      .action(async (words: readonly string[], flags) => (await caller()).runCallerCommand(flags, words)),
    addOptions(command('proxy', options.PROXY_OPTIONS, PROXY_HELP), NETWORK_OPTIONS, NETWORK_GROUP)
      .description('judge callers and a service by the traffic between them')
      .action(async (flags) => (await proxy()).runProxyCommand(flags)),
  ];
}

/** What only reads and writes files. */
function reading(): readonly Command[] {
  const learn = command('learn', options.LEARN_OPTIONS)
    .description('pin the open points for which a run always observed the same; sends nothing')
    .argument('<report>', 'a report.json or its folder')
    .action(async (report, flags) => (await reports()).runLearnCommand(report, flags));
  return [
    command('list', options.LIST_OPTIONS)
      .description('list every check, and every clause with its checks')
      .action(async (flags) => (await list()).runListCommand(flags)),
    command('explain', options.EXPLAIN_OPTIONS)
      .description('show what a check, a clause or an open point means, and how it is judged')
      .argument('<id>', 'such as REQ-6')
      .action(async (id, flags) => (await explain()).runExplainCommand(id, flags)),
    command('report', options.REPORT_OPTIONS, JOURNAL_HELP)
      .description('make the reports of a run from its journal')
      .argument('[journal]', 'a journal or its report folder (default: the latest run)')
      .action(async (path, flags) => (await journals()).runReportCommand(path, flags)),
    command('merge', options.JOURNAL_OPTIONS, MERGE_HELP)
      .description('join the journals of all shards into the journal and the reports of the whole run')
      .argument('<journals...>', 'journals or their report folders')
      .action(async (paths, flags) => (await journals()).runMergeCommand(paths, flags)),
    command('diff', options.DIFF_OPTIONS)
      .description('show which verdicts changed between two reports, and why; exits 1 if one got worse')
      .argument('[before]', 'a report.json or its folder (default: the last two runs of one target)')
      .argument('[after]', 'report.json of a later run, or its folder')
      .action(async (before, after, flags) => (await reports()).runDiffCommand(before, after, flags)),
    command('profile')
      .description('profiles: facts about a target that the specification leaves open')
      .addCommand(learn),
    command('init')
      .description('write a commented configuration and a CI job')
      .action(async () => (await init()).runInitCommand()),
  ];
}
