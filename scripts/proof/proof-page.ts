import { CHECKS } from '../../suites/catalogue.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import { markdownTable } from '../../suites/kit/reporting/markdown-table.ts';
import { ADVERSARIES } from './adversaries/adversaries.ts';
import { heldOutPart } from './held-out/held-out-part.ts';
import type { DefectProof, Proof } from './proof.ts';
import { MILESTONES, proofFigures } from './proof-figures.ts';
import { type Goal, goalsOf } from './proof-goals.ts';
import { defectNamesOf, PROVED_DEFECTS, type ProvedDefectName } from './proved-defects.ts';
import { type Size, SIZES } from './size.ts';

const SIZE_WORDS: Readonly<Record<Size, string>> = {
  full: 'full: everything, as against the mock',
  live: 'live: 300 requests, 80 completions, with all leave and a control URL',
  unaided: 'unaided: the same caps, with no leave and no control URL',
};

/** The page that tells people what was proved, in Markdown as the formatter would have it. */
export function proofPage(proof: Proof): string {
  return `${[
    '# Proof that the suites can fail',
    `Made by \`npm run prove -- --publish\`; the numbers behind it are in [proof.json](proof.json). ${pageVerdict(goalsOf(proof))}`,
    goalTable(proof),
    'A run that went wrong beside others is made once more by itself, since a busy machine delays what is told by the clock.',
    '## How soon',
    'A run ends with all that it found; here is after how many exchanges it had found the defect.',
    figureTable(proof),
    ...unaidedPart(proof),
    ...heldOutPart(proof),
    '## Services that are none',
    'Each ends in a report, or in one clear message, and passes no clause but those that it does keep.',
    adversaryTable(),
    '## Checks',
    'How many defects make each check fail, at any size; and which of them no other check would find.',
    checkTable(proof),
    '## Defects',
    'What fails at the size of a live run, or else at full size, and after how many exchanges in the middle of all seeds.',
    defectTable(proof),
    ...secondServicePart(proof),
    ...callerPart(proof),
  ].join('\n\n')}\n`;
}

/** What people read first: whether something went wrong, and whether all was tried that was to be. */
function pageVerdict(goals: readonly Goal[]): string {
  const unmet = goals.filter(({ isMet }) => !isMet);
  if (unmet.length === 0) return 'Every goal is met.';
  if (unmet.some(({ about }) => about === 'soundness')) return '**Not every goal is met.**';
  const open = unmet.length === 1 ? 'one goal is' : `${unmet.length} goals are`;
  return `**Less was tried than is to be: ${open} open.** In what was tried, nothing went wrong.`;
}

function goalTable(proof: Proof): string {
  const rows = goalsOf(proof).map(({ goal, size, shown, isMet }) => [
    goal,
    size,
    shown,
    isMet ? 'yes' : '**no**',
  ]);
  return markdownTable(['goal', 'size', 'shown', 'met'], rows);
}

function figureTable(proof: Proof): string {
  const rows = SIZES.flatMap((size) => {
    const sized = proof[size];
    if (sized === undefined) return [];
    const { median, p95, within } = proofFigures(sized);
    const rates = MILESTONES.map((most) => `${((within[most] ?? 0) * 100).toFixed(1)} %`);
    return [[SIZE_WORDS[size], String(median), String(p95), ...rates]];
  });
  return markdownTable(['size', 'median', 'p95', ...MILESTONES.map((most) => `within ${most}`)], rows);
}

function unaidedPart({ unaided }: Proof): readonly string[] {
  if (unaided === undefined) return [];
  const all = Object.entries(unaided.defects);
  const unseen = all.filter(([, { caught, runs }]) => caught < runs).map(([name]) => `\`${name}\``);
  return [
    '## Without leave and control',
    `Of ${all.length} defects ${all.length - unseen.length} are caught with every seed by somebody who has only keys. The others are: ${unseen.join(', ')}.`,
  ];
}

function adversaryTable(): string {
  const rows = Object.entries(ADVERSARIES).map(([name, { story, ends }]) => [
    `\`${name}\``,
    story,
    ends.join(', '),
  ]);
  return markdownTable(['adversary', 'what it does', 'the run ends'], rows);
}

function checkTable(proof: Proof): string {
  const killers = SIZES.flatMap((size) => Object.entries(proof[size]?.defects ?? {}));
  const rows = [...CHECKS, ...INVARIANTS].map(({ id, clauses }) => {
    const caught = killers.filter(([, { killedBy }]) => killedBy[id] !== undefined);
    const alone = caught.filter(([, { killedBy }]) => Object.keys(killedBy).length === 1);
    return [`\`${id}\``, clauses.join(', '), String(distinct(caught).length), distinct(alone).join(', ')];
  });
  return markdownTable(['check', 'clauses', 'defects', 'alone'], rows);
}

const distinct = (entries: readonly (readonly [string, DefectProof])[]): readonly string[] => [
  ...new Set(entries.map(([name]) => name)),
];

function defectTable(proof: Proof): string {
  const rows = shownOf(proof, defectNamesOf('mock')).map(([name, shown]) => defectRow(name, shown));
  return markdownTable(['defect', 'breaks', 'checks that fail', 'after'], rows);
}

function shownOf(
  { live, full }: Proof,
  names: readonly ProvedDefectName[],
): readonly (readonly [ProvedDefectName, DefectProof])[] {
  return names.flatMap((name) => {
    const shown = live?.defects[name] ?? full?.defects[name];
    return shown === undefined ? [] : [[name, shown] as const];
  });
}

/** Of a service that shares nothing with the mock, so that what both have wrong alike hides from neither. */
function secondServicePart(proof: Proof): readonly string[] {
  const rows = shownOf(proof, defectNamesOf('second service')).map(([name, shown]) => {
    const [label = '', ...others] = defectRow(name, shown);
    return [label, PROVED_DEFECTS[name].story, ...others];
  });
  if (rows.length === 0) return [];
  return [
    '## Defects of the second service',
    'Of a service that was written from the specification alone, shares nothing with the mock, and fills the open points otherwise.',
    markdownTable(['defect', 'story', 'breaks', 'checks that fail', 'after'], rows),
  ];
}

function defectRow(name: ProvedDefectName, { killedBy, after }: DefectProof): readonly string[] {
  const middle = after.toSorted((one, other) => one - other)[after.length >> 1];
  const checks = Object.keys(killedBy).map((check) => `\`${check}\``);
  return [`\`${name}\``, PROVED_DEFECTS[name].clauses.join(', '), checks.join(', '), String(middle ?? '')];
}

function callerPart({ callers }: Proof): readonly string[] {
  if (callers === undefined) return [];
  const rows = Object.entries(callers).map(([name, { breaks, blamed }]) => [
    `\`${name}\``,
    breaks.join(', ') || 'nothing',
    blamed.join(', ') || 'nothing',
  ]);
  return ['## Callers', markdownTable(['caller', 'breaks', 'is blamed for'], rows)];
}
