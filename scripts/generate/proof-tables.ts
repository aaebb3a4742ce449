import { type ClauseId, clauseIds, CLAUSES } from '../../fixtures/clauses/clauses.ts';
import { DEFECTS, defectNames } from '../../mock-server/defects/defects.ts';
import { CHECKS } from '../../suites/catalogue.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import { markdownTable } from '../../suites/kit/reporting/markdown-report.ts';
import { ADVERSARIES } from '../proof/adversaries.ts';
import { type NamedVariant, VARIANTS } from '../proof/variants/variants.ts';
import type { WorldKind } from '../proof/world.ts';
import { WORLDS } from '../proof/worlds.ts';

/** Every defect of the mock: the clauses that it breaks, its story, and what else a run may blame. */
export function defectTable(): string {
  const rows = defectNames().map((name) => {
    const { clauses, story, alsoBlamed = {} } = DEFECTS[name];
    const also = Object.entries(alsoBlamed).map(([clause, reason]) => `${clause}: ${reason}`);
    return [`\`${name}\``, clauses.join(', '), story, also.join('; ')];
  });
  return markdownTable(['defect', 'breaks', 'story', 'may also be blamed for'], rows);
}

/** Every variant: in which point it differs, how, and which clauses it leaves unexercised. */
export function variantTable(): string {
  const rows = VARIANTS.map((variant) => [
    variant.point,
    `\`${variant.name}\``,
    variant.clause,
    variant.what,
    unexercisedBy(variant),
  ]);
  return markdownTable(['point', 'variant', 'clause', 'the service …', 'not exercised'], rows);
}

function unexercisedBy({ unreadable, untestable }: NamedVariant): string {
  const withoutProfile = unreadable.length === 0 ? [] : [`${unreadable.join(', ')} without a profile`];
  return [...withoutProfile, ...untestable].join(', ');
}

/** What the proof tries, and what it expects. */
export function proofTable(): string {
  const blamed = 'every clause that it breaks is blamed, any other only for a stated reason';
  return markdownTable(
    ['tried', 'how many', 'expected'],
    [
      ['the mock with one defect', String(defectNames().length), blamed],
      ['the mock with six defects at once', '1', 'the same, and every other clause is exercised'],
      [
        'a faithful service: the mock, the second service, their variants alone and combined',
        countOf('variant'),
        'outcome `conformant`, no warning',
      ],
      ['an adversary', countOf('adversary'), 'a report or one clear message, and no false pass'],
      ['a broken caller', countOf('broken-caller'), 'every clause that it breaks is blamed, and no other'],
      [
        'a caller that may pay twice',
        countOf('doubtful-caller'),
        'every clause that it may break is in doubt, none is blamed, and the run is incomplete',
      ],
      ['a faithful caller', countOf('faithful-caller'), 'no clause is blamed'],
    ],
  );
}

function countOf(of: WorldKind): string {
  return String(WORLDS.filter(({ kind }) => kind === of).length);
}

/** For each section of the specification, its checks, and how many defects break each of its clauses. */
export function provedClauseTable(): string {
  const breaks = defectNames().flatMap((name): readonly ClauseId[] => DEFECTS[name].clauses);
  const checks = [...CHECKS, ...INVARIANTS];
  const sections = Map.groupBy(
    clauseIds().filter((id) => CLAUSES[id].bound === 'service'),
    (id) => id.replace(/-\d+$/, ''),
  );
  const rows = [...sections].map(([section, ids]) => [
    section,
    String(checks.filter(({ clauses }) => clauses.some((clause) => ids.includes(clause))).length),
    ids.map((id) => `${id} ${breaks.filter((clause) => clause === id).length}`).join(', '),
  ]);
  return markdownTable(['section', 'checks', 'defects that break each clause'], rows);
}

/** What may listen where a service should be, and how a run against it ends. */
export function adversaryTable(): string {
  const rows = Object.entries(ADVERSARIES).map(([name, { story, ends }]) => [
    `\`${name}\``,
    story,
    ends.map((end) => (end === 'refused' ? 'one message' : end)).join(' or '),
  ]);
  return markdownTable(['adversary', 'what it does', 'the run ends with'], rows);
}
