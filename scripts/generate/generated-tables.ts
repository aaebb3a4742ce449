import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openPoints } from '../../fixtures/clauses/open-points.ts';
import { FAULTS } from '../../mock-server/faults/catalogue/fault-catalogue.ts';
import type { FaultDescription, FaultParameter } from '../../mock-server/faults/catalogue/fault-parameter.ts';
import { ERROR_TABLE } from '../../mock-server/protocol/error-table.ts';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import { CALLER_CHECKS } from '../../suites/caller-catalogue.ts';
import { CHECKS } from '../../suites/catalogue.ts';
import { pinText } from '../../suites/engine/files/read-profile.ts';
import { markdownTable as table } from '../../suites/engine/reports/markdown-report.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import { CALLER_SCENARIOS, callerScenarioNames } from '../caller/scenarios.ts';
import { CHECK_OPTIONS } from '../cli/options/check-table.ts';
import type { OptionRow } from '../cli/options/option.ts';
import { checkEntries, clauseEntries } from '../cli/reports/catalogue-entries.ts';
import { defectTable, proofTable, worldTable } from './proof-tables.ts';

function errorTable(): string {
  const rows = Object.values(ERROR_TABLE).map(({ code, status, meaning }) => [
    `\`${code}\``,
    String(status),
    meaning,
  ]);
  return table(['code', 'status', 'meaning'], rows);
}

/** Every clause with the checks that stand for it, or why none does. */
function clauseTable(): string {
  const files = filesOfChecks();
  const rows = clauseEntries(EVERYTHING).map(({ id, bound, level, statement, checks, notYet }) => {
    const standing = checks.map((check) => `[\`${check}\`](${files.get(check)})`).join(', ');
    return [id, bound, level, statement, standing === '' ? `not yet: ${notYet ?? 'no check'}` : standing];
  });
  return table(['clause', 'bound', 'level', 'statement', 'checks'], rows);
}

const EVERYTHING = { checks: CHECKS, invariants: INVARIANTS, callerChecks: CALLER_CHECKS };

/** The clauses with several duties, and the checks that decide each. */
function dutyTable(): string {
  const checks = checkEntries(EVERYTHING);
  const rows = clauseEntries(EVERYTHING).flatMap(({ id, duties = [], furtherDuties = [] }) => {
    const deciding = (duty: string): string =>
      checks
        .filter(({ clauses, decides = [] }) => clauses.includes(id) && decides.includes(duty))
        .map((check) => `\`${check.id}\``)
        .join(', ');
    return [
      ...duties.map((duty) => [id, duty, 'yes', deciding(duty)]),
      ...furtherDuties.map((duty) => [id, duty, 'no', deciding(duty)]),
    ];
  });
  return table(['clause', 'duty', 'must be seen', 'decided by'], rows);
}

/** The file that declares each check, relative to the suites. */
function filesOfChecks(): ReadonlyMap<string, string> {
  const cwd = fileURLToPath(new URL('../../suites/', import.meta.url));
  const sources = globSync('*/*.ts', { cwd, exclude: (name) => name.endsWith('.test.ts') }).toSorted();
  return new Map(
    sources.flatMap((file) => {
      const declared = readFileSync(`${cwd}${file}`, 'utf8').matchAll(/^ +id: '([\w-]+)',$/gm);
      return [...declared].map(([, id = '']) => [id, file.replaceAll('\\', '/')] as const);
    }),
  );
}

/** The keys of the built-in world. They are public, and open nothing but a mock. */
function keyTable(): string {
  const rows = builtInWorld.keys.map(({ name, key, scopes, models }) => [
    name,
    `\`${key}\``,
    scopes.join(', ') || 'none',
    models?.join(', ') ?? 'all',
  ]);
  return table(['name', 'key', 'scopes', 'models'], rows);
}

/** The models of the built-in world. */
function modelTable(): string {
  const rows = builtInWorld.models.map(({ id, contextTokens, price, vision, available, latencyMs }) => [
    `\`${id}\``,
    String(contextTokens),
    `${price.input} / ${price.output}`,
    vision === true ? 'yes' : 'no',
    available === false ? 'known, but unavailable' : paceOf(latencyMs),
  ]);
  return table(['model', 'context, tokens', 'credits per token, in / out', 'vision', 'answers'], rows);
}

function paceOf(latencyMs = 0): string {
  return latencyMs === 0 ? 'at once' : `after ${latencyMs} ms`;
}

/** Every fault: its meaning, phases and parameters. */
function faultTable(): string {
  const rows = Object.entries<FaultDescription>(FAULTS).map(
    ([name, { meaning, phases, defaultPhase, parameters }]) => [
      `\`${name}\``,
      meaning,
      phases.map((phase) => (phase === defaultPhase ? `**${phase}**` : phase)).join(', '),
      Object.entries(parameters).map(describeParameter).join('; '),
    ],
  );
  return table(['fault', 'meaning', 'phases (**default**)', 'parameters'], rows);
}

function describeParameter([name, parameter]: [string, FaultParameter]): string {
  const { default: byDefault, meaning } = parameter;
  const choices = parameter.kind === 'choice' ? parameter.choices.join(', ') : undefined;
  const values = [choices, byDefault === undefined ? undefined : `default ${byDefault}`];
  const shown = values.filter((value) => value !== undefined).join('; ');
  return `\`${name}\`: ${meaning}${shown === '' ? '' : ` (${shown})`}`;
}

/** Every open point: its name, what it is, and what it may be pinned to. */
function openPointTable(): string {
  const rows = openPoints().map(({ name, clause, what, value }) => [
    clause,
    `\`${name}\``,
    what,
    pinText(value),
  ]);
  return table(['clause', 'point', 'what', 'value'], rows);
}

/** Every scenario that a caller is put through. */
function scenarioTable(): string {
  const rows = callerScenarioNames().map((name) => {
    const { faithful, clauses, faults } = CALLER_SCENARIOS[name];
    return [
      `\`${name}\``,
      faithful,
      faults.map((line) => `\`${line}\``).join(', ') || 'none',
      clauses.join(' '),
    ];
  });
  return table(['scenario', 'a faithful caller', 'faults', 'clauses'], rows);
}

function callerCheckTable(): string {
  const rows = CALLER_CHECKS.map(({ id, clauses, title }) => [`\`${id}\``, clauses.join(' '), title]);
  return table(['check', 'clause', 'the caller'], rows);
}

/** Every option of a check: its setting, its variable and what it does. */
function optionTable(): string {
  const rows = Object.values<OptionRow>(CHECK_OPTIONS).map(({ flag, setting, variable, says }) => [
    ...[flag, setting, variable].map(codeOf),
    says,
  ]);
  return table(['option', 'setting', 'variable', 'meaning'], rows);
}

function codeOf(word: string | undefined): string {
  return word === undefined ? '' : `\`${word}\``;
}

/** The tables that documents hold between `<!-- generated:NAME -->` and `<!-- /generated -->`. */
export const TABLES: Readonly<Record<string, () => string>> = {
  errors: errorTable,
  faults: faultTable,
  clauses: clauseTable,
  duties: dutyTable,
  keys: keyTable,
  models: modelTable,
  'open-points': openPointTable,
  'caller-scenarios': scenarioTable,
  'caller-checks': callerCheckTable,
  defects: defectTable,
  proof: proofTable,
  worlds: worldTable,
  options: optionTable,
};
