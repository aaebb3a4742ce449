import { openPoints } from '../../fixtures/clauses/open-points.ts';
import { ANSWER } from '../../mock-server/answers/compile-answers.ts';
import { DEFECTS } from '../../mock-server/defects/defects.ts';
import { FAULTS } from '../../mock-server/faults/fault-catalogue.ts';
import { ERROR_TABLE } from '../../mock-server/protocol/service-error.ts';
import { LIMITS, MATCH } from '../../mock-server/rules/match.ts';
import { describedFields, type Shape } from '../../mock-server/rules/words.ts';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import { limitsSchema } from '../../mock-server/world/world-schema.ts';
import { CALLER_CHECKS } from '../../suites/caller-catalogue.ts';
import { CHECKS, INVARIANTS } from '../../suites/catalogue.ts';
import { pinText } from '../../suites/engine/files/read-profile.ts';
import { CALLER_SCENARIOS, callerScenarioNames } from '../caller/scenarios.ts';
import { CHECK_OPTIONS } from '../cli/options/check-table.ts';
import { oppositeFlag, type OptionRow } from '../cli/options/option.ts';
import { entriesOf } from '../cli/reports/catalogue-commands.ts';
import type { WorldKind } from '../proof/proof-run.ts';
import { WORLDS } from '../proof/worlds.ts';

const ENTRIES = entriesOf({ checks: CHECKS, invariants: INVARIANTS });

export type Rows = readonly (readonly string[])[];

/** A table of a document, by its name. */
export type Tables = Readonly<Record<string, readonly [head: Rows[number], ...Rows]>>;

const KINDS: Readonly<Record<WorldKind, readonly [what: string, expected: string]>> = {
  defect: [
    'the mock with one defect, and once with six',
    'the run blames every clause that it breaks, and others only for a stated reason',
  ],
  adversary: ['an adversary', 'a report or one clear message; no false pass'],
  variant: [
    'a faithful service: the mock, the second service, and their variants',
    'outcome `conformant`, no warning',
  ],
  'broken-caller': ['a broken caller', 'the run blames every clause that it breaks, and no other'],
  'doubtful-caller': [
    'a caller that may pay twice',
    'every clause that it may break is in doubt; the run blames none and is incomplete',
  ],
  'faithful-caller': ['a faithful caller', 'the run blames no clause'],
};

/** The tables that documents hold between `<!-- generated:NAME -->` and `<!-- /generated -->`. */
export const TABLES: Tables = {
  // Every defect of the mock: the clauses that it breaks, what is wrong, and what else a run may blame.
  defects: [
    ['defect', 'breaks', 'what is wrong', 'may also be blamed for'],
    ...Array.from(DEFECTS, ([name, { clauses, story, alsoBlamed = {} }]) => {
      const also = Object.entries(alsoBlamed).map(([clause, reason]) => `${clause}: ${reason}`);
      return [`\`${name}\``, clauses.join(', '), story, also.join('; ')];
    }),
  ],
  // What the proof tries, and what it expects.
  proof: [
    ['kind', 'what is tried', 'how many', 'expected'],
    ...Object.entries(KINDS).map(([name, [what, expected]]) => {
      const count = WORLDS.filter(({ kind }) => kind === name).length;
      return [`\`${name}\``, what, String(count), expected];
    }),
  ],
  // Every world but those with a defect, and the clauses or ends that its kind is about.
  worlds: [
    ['name', 'kind', 'blamed, in doubt, not exercised, or end of run'],
    ...WORLDS.filter(({ kind }) => kind !== 'defect').map(({ name, kind, expected }) => {
      const { breaks, doubted = [], ends, leaves: { untestable = [], unreadable = [] } = {} } = expected;
      const about = kind === 'adversary' ? ends : [...breaks, ...doubted, ...untestable, ...unreadable];
      return [`\`${name}\``, kind, about.join(', ')];
    }),
  ],
  errors: [
    ['code', 'status', 'meaning'],
    ...Object.entries(ERROR_TABLE).map(([code, [status, meaning]]) => [codeOf(code), `${status}`, meaning]),
  ],
  // Every fault: its meaning, phases and parameters.
  faults: [
    ['fault', 'meaning', 'phases (**default**)', 'parameters'],
    ...Object.entries(FAULTS).map(([name, { meaning, phases, defaultPhase, parameters }]) => [
      codeOf(name),
      meaning,
      phases.map((phase) => (phase === defaultPhase ? `**${phase}**` : phase)).join(', '),
      fieldRows(parameters)
        .map(([field, what]) => `${field}: ${what}`)
        .join('; '),
    ]),
  ],
  // Every field of a match, and how often a rule is used.
  'rule-match': [['in match', 'meaning'], ...fieldRows(MATCH)],
  'rule-limits': [['beside match', 'meaning'], ...fieldRows(LIMITS)],
  // Every field of a chosen answer.
  'rule-answer': [['field', 'meaning'], ...fieldRows(ANSWER)],
  // Every clause with the checks that stand for it, or why none does.
  clauses: [['clause', 'bound', 'level', 'statement', 'checks'], ...clauseRows()],
  // The clauses with several duties, and the checks that decide each.
  duties: [['clause', 'duty', 'must be seen', 'decided by'], ...dutyRows()],
  // They are public, and open nothing but a mock.
  keys: [
    ['name', 'key', 'workspace', 'scopes', 'concurrency', 'models'],
    ...builtInWorld.keys.map(({ name, key, workspace, scopes, concurrency, models }) => [
      name,
      codeOf(key),
      workspace,
      scopes.join(', ') || 'none',
      String(concurrency ?? builtInWorld.limits.concurrency),
      models?.join(', ') ?? 'all',
    ]),
  ],
  limits: [
    ['limit', 'built-in', 'meaning'],
    ...Object.entries(limitsSchema.shape).map(([name, { description = '' }]) => [
      codeOf(name),
      String(new Map(Object.entries(builtInWorld.limits)).get(name)),
      description,
    ]),
  ],
  models: [
    ['model', 'context, tokens', 'credits per token, in / out', 'vision', 'answers'],
    ...builtInWorld.models.map(({ id, contextTokens, price, vision, available, latencyMs }) => [
      codeOf(id),
      String(contextTokens),
      `${price.input} / ${price.output}`,
      vision === true ? 'yes' : 'no',
      available === false ? 'known, but unavailable' : paceOf(latencyMs),
    ]),
  ],
  // Every open point: its name, what it is, and what it may be pinned to.
  'open-points': [
    ['clause', 'point', 'what', 'value'],
    ...openPoints().map(({ name, clause, what, value }) => [clause, codeOf(name), what, pinText(value)]),
  ],
  'caller-scenarios': [
    ['scenario', 'a faithful caller', 'faults', 'clauses'],
    ...callerScenarioNames().map((name) => {
      const { faithful, clauses, faults } = CALLER_SCENARIOS[name];
      return [codeOf(name), faithful, faults.map(codeOf).join(', ') || 'none', clauses.join(' ')];
    }),
  ],
  'caller-checks': [
    ['check', 'clause', 'the caller'],
    ...CALLER_CHECKS.map(({ id, clauses, title }) => [codeOf(id), clauses.join(' '), title]),
  ],
  // Every option of a check: its setting, its variable and what it does.
  options: [
    ['option', 'setting', 'variable', 'meaning'],
    ...Object.entries<OptionRow>(CHECK_OPTIONS).flatMap(([name, row]) => {
      const { flag, setting, variable, says, saysNo } = row;
      const own = [...[flag, setting === true ? name : setting, variable].map(codeOf), says];
      return saysNo === undefined ? [own] : [own, [codeOf(oppositeFlag(row)), '', '', saysNo]];
    }),
  ],
};

function clauseRows(): Rows {
  return ENTRIES.clauses.map(({ id, bound, level, statement, checks }) => {
    return [id, bound, level, statement, checks.map(codeOf).join(', ')];
  });
}

function dutyRows(): Rows {
  return ENTRIES.clauses.flatMap(({ id, duties = [], furtherDuties = [] }) => {
    const deciding = (duty: string): string =>
      ENTRIES.checks
        .filter(({ clauses, decides = [] }) => clauses.includes(id) && decides.includes(duty))
        .map((check) => codeOf(check.id))
        .join(', ');
    const row = (duty: string): readonly string[] => {
      return [id, duty, duties.includes(duty) ? 'yes' : 'no', deciding(duty)];
    };
    return [...duties, ...furtherDuties].map(row);
  });
}

function paceOf(latencyMs = 0): string {
  return latencyMs === 0 ? 'immediately' : `after ${latencyMs} ms`;
}

function fieldRows(shape: Shape): readonly (readonly [string, string])[] {
  return describedFields(shape).map(({ name, meaning }) => [codeOf(name), meaning]);
}

function codeOf(word: string | undefined): string {
  return word === undefined || word === '' ? '' : `\`${word}\``;
}
