import type { Command } from 'commander';
import { STRICTER } from '../../../suites/kit/model/run.ts';
import * as kinds from './kinds.ts';
import { addOptions, type OptionRows } from './option.ts';
import { LIMITS, SELECTION } from './run-table.ts';
import { NETWORK_OPTIONS, SERVICE, TARGET } from './target-table.ts';

/** Of every command that ends with an outcome. */
export const OUTCOME_OPTIONS = {
  failOn: {
    flag: '--fail-on <list>',
    setting: 'failOn',
    kind: kinds.wordsOf(STRICTER),
    says: `also exit 1 on: ${STRICTER.join(', ')}`,
    isCommon: true,
  },
  quiet: {
    flag: '--quiet',
    kind: kinds.toggle,
    says: 'print only failures and the outcome',
    isCommon: true,
  },
} as const satisfies OptionRows;

const REPORTS = {
  report: {
    flag: '--report <dir>',
    setting: 'report',
    kind: kinds.path,
    says: 'folder of the journal, report.json, junit.xml, summary.md and report.html (with --plan: plan.json; default: one for each run)',
    isCommon: true,
  },
  showConfig: {
    flag: '--show-config',
    kind: kinds.toggle,
    says: 'print every effective setting and its source, and send nothing',
  },
  plan: {
    flag: '--plan [latency]',
    kind: kinds.latency,
    says: 'print the most that a run would send (2s: and its time at that latency)',
    isCommon: true,
  },
  json: { flag: '--json', kind: kinds.toggle, says: 'print the plan or the settings as JSON' },
  baseline: {
    flag: '--baseline <file>',
    setting: 'baseline',
    kind: kinds.path,
    says: 'known failures, which do not fail the run (JSON)',
    isCommon: true,
  },
  writeBaseline: {
    flag: '--write-baseline <file>',
    kind: kinds.path,
    says: 'write the failures as a baseline; keeps the reasons in the file',
  },
  ...OUTCOME_OPTIONS,
} as const satisfies OptionRows;

export const NETWORK_GROUP = 'Network (docs/network.md):';

/** Under the headings of `--help all`. */
const GROUPS = {
  'Target:': TARGET,
  'The service here (docs/configuration.md):': SERVICE,
  'What is checked:': SELECTION,
  'Limits:': LIMITS,
  'Reports:': REPORTS,
  [NETWORK_GROUP]: NETWORK_OPTIONS,
} as const;

/** The options of a check. */
export const CHECK_OPTIONS = {
  ...TARGET,
  ...SERVICE,
  ...SELECTION,
  ...LIMITS,
  ...REPORTS,
  ...NETWORK_OPTIONS,
} as const;

/** Adds the options of a check to a command. */
export function addCheckOptions(command: Command): Command {
  return Object.entries(GROUPS).reduce((all, [group, rows]) => addOptions(all, rows, group), command);
}
