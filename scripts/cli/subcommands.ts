import { Command } from 'commander';
import { CALLER_HELP, MOCK_HELP, JOURNAL_HELP, MERGE_HELP, PROXY_HELP } from './help-text.ts';
import { NETWORK_GROUP } from './options/check-table.ts';
import * as options from './options/command-tables.ts';
import { addOptions } from './options/option.ts';
import { NETWORK_OPTIONS } from './options/target-table.ts';

// Every action loads what it needs when it runs, so that the mock does not wait for the suites.

function mockCommand(): Command {
  const command = new Command('mock').description('serve the mock until SIGTERM');
  return addOptions(command, options.MOCK_OPTIONS)
    .addHelpText('after', MOCK_HELP)
    .action(async (flags) => {
      process.exitCode = await (await import('./mock/mock-command.ts')).runMockCommand(flags);
    });
}

function callerCommand(): Command {
  const command = new Command('caller')
    .description('check whether a client keeps its side of the specification')
    .usage('[options] -- COMMAND ARGS…')
    .argument('[command...]', 'command that starts the client; its base URL and key are in the environment')
    .passThroughOptions();
  return addOptions(command, options.CALLER_OPTIONS)
    .addHelpText('after', CALLER_HELP)
    .action(async (words: readonly string[], flags) => {
      await (await import('./caller/caller-command.ts')).runCallerCommand(flags, words);
    });
}

function proxyCommand(): Command {
  const command = new Command('proxy').description('judge callers and a service by the traffic between them');
  return addOptions(addOptions(command, options.PROXY_OPTIONS), NETWORK_OPTIONS, NETWORK_GROUP)
    .addHelpText('after', PROXY_HELP)
    .action(async (flags) => (await import('./proxy/proxy-command.ts')).runProxyCommand(flags));
}

function listCommand(): Command {
  const command = new Command('list').description('list every check, and every clause with its checks');
  return addOptions(command, options.LIST_OPTIONS).action(async (flags) =>
    (await import('./reports/catalogue-commands.ts')).runListCommand(flags),
  );
}

function explainCommand(): Command {
  const command = new Command('explain')
    .description('show what a check, a clause or an open point means, and how it is judged')
    .argument('<id>', 'such as REQ-6');
  return addOptions(command, options.EXPLAIN_OPTIONS).action(async (id, flags) =>
    (await import('./reports/catalogue-commands.ts')).runExplainCommand(id, flags),
  );
}

function diffCommand(): Command {
  const command = new Command('diff')
    .description('show which verdicts changed between two reports, and why; exits 1 if one got worse')
    .argument('[before]', 'a report.json or its folder (default: the last two runs of one target)')
    .argument('[after]', 'report.json of a later run, or its folder');
  return addOptions(command, options.DIFF_OPTIONS).action(async (before, after, flags) => {
    process.exitCode = (await import('./reports/report-commands.ts')).runDiffCommand(before, after, flags);
  });
}

function profileCommand(): Command {
  const learn = new Command('learn')
    .description('pin the open points for which a run always observed the same; sends nothing')
    .argument('<report>', 'a report.json or its folder')
    .action(async (report, flags) =>
      (await import('./reports/report-commands.ts')).runLearnCommand(report, flags),
    );
  return new Command('profile')
    .description('profiles: facts about a target that the specification leaves open')
    .addCommand(addOptions(learn, options.LEARN_OPTIONS));
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
    diffCommand(),
    profileCommand(),
    initCommand(),
  ];
}

function reportCommand(): Command {
  const command = new Command('report')
    .description('make the reports of a run from its journal')
    .argument('[journal]', 'a journal or its report folder (default: the latest run)');
  return addOptions(command, options.REPORT_OPTIONS)
    .addHelpText('after', JOURNAL_HELP)
    .action(async (path, flags) =>
      (await import('./journal/report-command.ts')).runReportCommand(path, flags),
    );
}

function mergeCommand(): Command {
  const command = new Command('merge')
    .description('join the journals of all shards into the journal and the reports of the whole run')
    .argument('<journals...>', 'journals or their report folders');
  return addOptions(command, options.JOURNAL_OPTIONS)
    .addHelpText('after', MERGE_HELP)
    .action(async (paths, flags) =>
      (await import('./journal/merge-command.ts')).runMergeCommand(paths, flags),
    );
}
