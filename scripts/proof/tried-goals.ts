import type { ProofCaller } from './callers/proof-caller.ts';
import { PROOF_CALLERS } from './callers/proof-callers.ts';
import type { Proof, SizeProof } from './proof.ts';
import type { Goal } from './proof-goals.ts';
import { defectNamesOf, type ProvedDefectName } from './proved-defects.ts';
import type { ProvedWorld } from './proved-world.ts';
import { type Seeds, SEEDS_MEANT } from './seeds-meant.ts';
import { BINDING, type Size } from './size.ts';
import { WORLDS } from './worlds.ts';

const NO_SEEDS: Seeds = { defects: 0, others: 0 };
const NOTHING_TRIED: SizeProof = { seeds: NO_SEEDS, defects: {}, odd: {}, faithful: 0, adversaries: 0 };

/** How much was tried of all that there is: without it, that nothing went wrong says little. */
export function triedGoals(proof: Proof): readonly Goal[] {
  return [...BINDING.flatMap((size) => triedAtSize(size, proof)), triedCallers(proof)];
}

function triedAtSize(size: Size, { [size]: sized }: Proof): readonly Goal[] {
  const { seeds, defects, faithful, adversaries } = sized ?? NOTHING_TRIED;
  const triedOf = (what: string, names: readonly ProvedDefectName[]) => ({
    what,
    tried: names.filter((name) => Object.hasOwn(defects, name)).length,
    of: names.length,
  });
  const kinds = [
    triedOf('defects', defectNamesOf('mock')),
    triedOf('defects of the second service', defectNamesOf('second service')),
    { what: 'faithful services', tried: faithful, of: worldsOf('variant', 'second-service') },
    { what: 'adversaries', tried: adversaries, of: worldsOf('adversary') },
  ];
  return [
    {
      goal: 'every defect, faithful service and adversary is tried',
      about: 'extent',
      size,
      shown: kinds.map(({ what, tried, of }) => `${tried} of ${of} ${what}`).join(', '),
      isMet: kinds.every(({ tried, of }) => tried === of),
    },
    seedsGoal('each defect', size, seeds.defects, SEEDS_MEANT[size].defects),
    seedsGoal('each of the others', size, seeds.others, SEEDS_MEANT[size].others),
  ];
}

function seedsGoal(what: string, size: Size, seeds: number, meant: number): Goal {
  const goal = `${what} is tried with ${meant} seeds or more`;
  return { goal, about: 'extent', size, shown: String(seeds), isMet: seeds >= meant };
}

function worldsOf(...kinds: readonly ProvedWorld['kind'][]): number {
  return WORLDS.filter(({ kind }) => kinds.includes(kind)).length;
}

function triedCallers({ callers = {} }: Proof): Goal {
  const kinds = (['broken-caller', 'faithful-caller'] as const).map((kind) => ({
    what: `${kind.replace('-', ' ')}s`,
    tried: countOf(Object.values(callers), kind),
    of: countOf(PROOF_CALLERS, kind),
  }));
  return {
    goal: 'every caller, broken or faithful, is tried',
    about: 'extent',
    size: 'callers',
    shown: kinds.map(({ what, tried, of }) => `${tried} of ${of} ${what}`).join(', '),
    isMet: kinds.every(({ tried, of }) => tried === of),
  };
}

function countOf(callers: readonly Pick<ProofCaller, 'kind'>[], kind: ProofCaller['kind']): number {
  return callers.filter((caller) => caller.kind === kind).length;
}
