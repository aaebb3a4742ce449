import { DEFECTS, defectNames } from '../../mock-server/defects/defects.ts';
import { clauseIds, CLAUSES, type ClauseId } from '../../fixtures/clauses/clauses.ts';
import { type DefectProof, type Proof, type SizeProof, unkilledChecks } from './proof.ts';
import { BINDING, type Size } from './size.ts';
import { triedGoals } from './tried-goals.ts';

/** What the proof is to show, what it shows, and whether that is all. */
export interface Goal {
  readonly goal: string;
  /** Of `soundness`: nobody is blamed wrongly, passed wrongly or missed. Of `extent`: how much of it all was tried. */
  readonly about: 'soundness' | 'extent';
  readonly size: Size | 'any' | 'callers';
  readonly shown: string;
  readonly isMet: boolean;
}

export function goalsOf(proof: Proof): readonly Goal[] {
  const unkilled = unkilledChecks(proof);
  const untried = untriedClauses();
  return [
    ...triedGoals(proof),
    ...BINDING.flatMap((size) => {
      const sized = proof[size];
      return sized === undefined ? [] : goalsOfSize(size, sized);
    }),
    {
      goal: 'every check is made to fail by a defect',
      about: 'soundness',
      size: 'any',
      shown: allBut(unkilled),
      isMet: unkilled.length === 0,
    },
    {
      goal: 'every clause that binds a service is broken by a defect',
      about: 'soundness',
      size: 'any',
      shown: allBut(untried),
      isMet: untried.length === 0,
    },
    ...goalsOfCallers(proof),
  ];
}

function allBut(exceptions: readonly string[]): string {
  if (exceptions.length === 0) return 'all';
  return `all but ${exceptions.slice(0, 5).join(', ')}${exceptions.length > 5 ? ` and ${exceptions.length - 5} more` : ''}`;
}

function goalsOfSize(size: Size, sized: SizeProof): readonly Goal[] {
  return [...goalsOfDefects(size, sized), ...goalsOfOthers(size, sized)];
}

function goalsOfDefects(size: Size, { defects, seeds }: SizeProof): readonly Goal[] {
  const all = Object.entries(defects);
  const runs = sumOf(all, ({ runs: each }) => each);
  const caught = sumOf(all, (each) => each.caught);
  const wrong = all.filter(([, { wronglyBlamed }]) => wronglyBlamed.length > 0).map(([name]) => name);
  return [
    {
      goal: `every defect is caught, and each clause that it breaks is blamed, with ${seeds.defects === 1 ? 'one seed' : `each of ${seeds.defects} seeds`}`,
      about: 'soundness',
      size,
      shown: `${caught} of ${runs} runs`,
      isMet: caught === runs,
    },
    {
      goal: 'no defect is blamed on a clause that it keeps',
      about: 'soundness',
      size,
      shown: wrong.length === 0 ? 'none' : wrong.join(', '),
      isMet: wrong.length === 0,
    },
  ];
}

/** Of no world, nothing is said: that none was tried is a goal of its own, and not met. */
function goalsOfOthers(size: Size, { odd, faithful, adversaries }: SizeProof): readonly Goal[] {
  if (faithful + adversaries === 0) return [];
  const names = Object.keys(odd);
  return [
    {
      goal: 'no fault is found with a faithful service, and no pass with one that is none',
      about: 'soundness',
      size,
      shown:
        names.length === 0
          ? `none of ${faithful} faithful services, nor of ${adversaries} adversaries`
          : names.join(', '),
      isMet: names.length === 0,
    },
  ];
}

function goalsOfCallers({ callers = {} }: Proof): readonly Goal[] {
  const all = Object.entries(callers);
  return (['broken-caller', 'faithful-caller'] as const).flatMap((kind) => {
    const own = all.filter(([, proof]) => proof.kind === kind);
    if (own.length === 0) return [];
    const odd = own.filter(([, proof]) => proof.odd.length > 0).map(([name]) => name);
    return [
      {
        goal:
          kind === 'broken-caller'
            ? `each of ${own.length} broken callers is blamed for what it breaks, and for nothing else`
            : `each of ${own.length} faithful callers is blamed for nothing`,
        about: 'soundness',
        size: 'callers',
        shown: allBut(odd),
        isMet: odd.length === 0,
      } as const,
    ];
  });
}

function sumOf(
  defects: readonly (readonly [string, DefectProof])[],
  count: (proof: DefectProof) => number,
): number {
  return defects.reduce((sum, [, proof]) => sum + count(proof), 0);
}

/** The clauses that bind a service and that no defect breaks. */
export function untriedClauses(): readonly ClauseId[] {
  const broken = new Set(defectNames().flatMap((name) => DEFECTS[name].clauses));
  return clauseIds().filter((id) => CLAUSES[id].bound === 'service' && !broken.has(id));
}
