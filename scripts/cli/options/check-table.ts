import type { Command } from 'commander';
import { STRICTER } from '../../../suites/engine/model/run.ts';
import type { usualFlags } from './check-defaults.ts';
import { latency, path, pathOrAlone, toggle, wordsOf } from './kinds.ts';
import { addOptions, type FlagsOf, option } from './option.ts';
import { LIMITS, SELECTION, SIZE } from './run-table.ts';
import { NETWORK_OPTIONS, SERVICE, TARGET, WATCH } from './target-table.ts';

/** Of every command that ends with an outcome. */
export const OUTCOME_OPTIONS = {
  failOn: option('--fail-on <list>', `also exit 1 on: ${STRICTER.join(', ')}`, wordsOf(STRICTER), {
    setting: 'failOn',
    isCommon: true,
  }),
  quiet: option('--quiet', 'print only failures and the outcome', toggle, { isCommon: true }),
};

const REPORTS = {
  report: option(
    '--report <dir>',
    'folder of the journal, report.json, junit.xml, summary.md and report.html (with --plan: plan.json; default: one for each run)',
    path,
    { setting: 'report', isCommon: true },
  ),
  showConfig: option(
    '--show-config',
    'print every effective setting and its source, and send nothing',
    toggle,
  ),
  plan: option(
    '--plan [latency]',
    'print the most that a run would send (2s: and its time at that latency)',
    latency,
    { isCommon: true },
  ),
  json: option('--json', 'print the plan or the settings as JSON', toggle),
  baseline: option('--baseline <file>', 'known failures, which do not fail the run (JSON)', path, {
    setting: 'baseline',
    isCommon: true,
  }),
  writeBaseline: option(
    '--write-baseline [file]',
    'write the failures as a baseline, and keep the reasons in the file (default: that of --baseline)',
    pathOrAlone,
  ),
  ...OUTCOME_OPTIONS,
};

export const NETWORK_GROUP = 'Network (docs/network.md):';

/** Under the headings of `--help all`. */
const GROUPS = {
  'Target:': TARGET,
  'The service here (docs/configuration.md):': { ...SERVICE, ...WATCH },
  'What is checked:': { ...SELECTION, ...SIZE },
  'Limits:': LIMITS,
  'Reports:': REPORTS,
  [NETWORK_GROUP]: NETWORK_OPTIONS,
};

/** What another run needs that is to send the same. */
export const REPEATED_OPTIONS = { ...TARGET, ...SERVICE, ...SIZE, ...LIMITS, ...NETWORK_OPTIONS };

/** The options of a check. */
export const CHECK_OPTIONS = { ...REPEATED_OPTIONS, ...WATCH, ...SELECTION, ...REPORTS };

/** Adds the options of a check to a command. */
export function addCheckOptions(command: Command): Command {
  return Object.entries(GROUPS).reduce((all, [group, rows]) => addOptions(all, rows, group), command);
}

/** The options of a check that were given. */
export type CheckFlags = FlagsOf<typeof CHECK_OPTIONS>;

/** What a configuration says beside its settings. */
export interface AboutConfiguration {
  /** Where the settings of the target stand, if there is one. */
  readonly place?: string | undefined;
  /** The names of all targets. */
  readonly targets: readonly string[];
  /** The folder of the configuration, in which its `start` runs. */
  readonly folder: string;
}

/** The options of a check with what the environment and the configuration add, and the usual values. */
export type ResolvedFlags = CheckFlags &
  Required<Pick<CheckFlags, keyof ReturnType<typeof usualFlags>>> &
  AboutConfiguration & {
    /** Without what the configuration adds. */
    readonly given: CheckFlags;
    /** Where each value comes from. */
    readonly origins: Readonly<Partial<Record<string, string>>>;
  };

export type Stricter = (typeof STRICTER)[number];
