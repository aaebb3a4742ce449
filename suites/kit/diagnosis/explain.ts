import type { Likelihood } from './likelihood.ts';
import type { KnownBug } from './signature.ts';

/** What a further bug must make likelier before it is believed: services have few bugs. */
const COST_OF_A_BUG = 3;

/** More would explain anything. */
const MOST_BUGS = 10;

/** One bug of an explanation, and those that would explain nearly as much in its place. */
export interface Explanation {
  /** The likeliest first; their chances add up to at most 1. */
  readonly candidates: readonly Candidate[];
}

export interface Candidate {
  readonly bug: KnownBug;
  readonly chance: number;
  /** By how much it makes the symptoms likelier, beside the others of the explanation. */
  readonly gain: number;
}

/** The smallest set of known bugs that makes the symptoms likely, found by adding, exchanging and leaving out. */
export function explain(likelihood: Likelihood): readonly Explanation[] {
  let chosen: readonly KnownBug[] = [];
  while (chosen.length < MOST_BUGS) {
    const best = bestBeside(chosen, likelihood);
    if (best === undefined || best.gain < COST_OF_A_BUG) break;
    chosen = withoutNeedless(exchanged([...chosen, best.bug], likelihood), likelihood);
  }
  return chosen.map((bug) => ({ candidates: candidates(bug, chosen, likelihood) }));
}

interface Gain {
  readonly bug: KnownBug;
  readonly gain: number;
}

/** The first of `ranked`, found without putting the others in order. */
function bestBeside(chosen: readonly KnownBug[], likelihood: Likelihood): Gain | undefined {
  let best: Gain | undefined;
  for (const each of gains(chosen, likelihood))
    if (best === undefined || compare(each, best) < 0) best = each;
  return best;
}

/** Every other bug, the one that gains the most first; of equal ones the widest, and then in the order of their names. */
function ranked(chosen: readonly KnownBug[], likelihood: Likelihood): readonly Gain[] {
  return gains(chosen, likelihood).toSorted(compare);
}

function gains(chosen: readonly KnownBug[], likelihood: Likelihood): readonly Gain[] {
  const without = likelihood.without(chosen);
  return likelihood.bugs
    .filter((bug) => !chosen.includes(bug))
    .map((bug) => ({ bug, gain: likelihood.gain(without, bug) }));
}

function compare(one: Gain, other: Gain): number {
  return (
    other.gain - one.gain || widthOf(other.bug) - widthOf(one.bug) || (one.bug.name < other.bug.name ? -1 : 1)
  );
}

/** On how many inputs a bug always makes a check fail: what is built by mistake is seldom narrow. */
function widthOf({ signs }: KnownBug): number {
  return signs.values().reduce((sum, { fails }) => sum + fails.size, 0);
}

const MOST_ROUNDS = 4;

/** Puts in the place of each bug the one that explains more beside the others, until none does. */
function exchanged(bugs: readonly KnownBug[], likelihood: Likelihood): readonly KnownBug[] {
  let chosen = bugs;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = chosen;
    for (const bug of before) {
      const others = chosen.filter((each) => each !== bug);
      const best = bestBeside(others, likelihood);
      if (best === undefined || best.bug === bug) continue;
      if (best.gain <= likelihood.gain(likelihood.without(others), bug) + 1e-9) continue;
      chosen = chosen.map((each) => (each === bug ? best.bug : each));
    }
    if (chosen === before) break;
  }
  return chosen;
}

function withoutNeedless(bugs: readonly KnownBug[], likelihood: Likelihood): readonly KnownBug[] {
  return bugs.reduceRight((kept, bug) => {
    const others = kept.filter((each) => each !== bug);
    return likelihood.gain(likelihood.without(others), bug) < COST_OF_A_BUG ? others : kept;
  }, bugs);
}

const MOST_CANDIDATES = 8;

function candidates(
  bug: KnownBug,
  chosen: readonly KnownBug[],
  likelihood: Likelihood,
): readonly Candidate[] {
  const others = chosen.filter((each) => each !== bug);
  // One that makes other checks fail would explain something else in its place.
  const alike = ranked(others, likelihood).filter((each) => haveSignsInCommon(each.bug, bug));
  const best = alike.slice(0, MOST_CANDIDATES);
  const [first] = best;
  const weights = best.map(({ gain }) => Math.exp(gain - (first?.gain ?? 0)));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return best.map((each, i) => ({ ...each, chance: (weights[i] ?? 0) / sum }));
}

function haveSignsInCommon(one: KnownBug, other: KnownBug): boolean {
  return [...one.signs.keys()].some((check) => other.signs.has(check));
}
