import type { LikelyCause, PossibleBug } from '../model/summary.ts';
import { isBorneOut } from './evidence.ts';
import { type Candidate, explain } from './explain.ts';
import { Likelihood } from './likelihood.ts';
import type { KnownBug } from './signature.ts';
import type { Symptom } from './symptoms.ts';

/** Below these a bug is not called likely: its chance among the known ones, and how much it explains. */
const LIKELY_CHANCE = 0.75;
const LIKELY_GAIN = 4;

const MOST_BUGS_NAMED = 3;

/** A bug with a smaller chance is not named beside a likelier one. */
const LEAST_CHANCE = 0.05;

/** The known bugs that together explain the failures of a run best, those that explain the most checks first. */
export function likelyCauses(
  symptoms: readonly Symptom[],
  known: readonly KnownBug[],
  isInvariant: (check: string) => boolean,
): readonly LikelyCause[] {
  const likelihood = new Likelihood(symptoms, known, isInvariant);
  const explained = explain(likelihood);
  const chosen = explained.flatMap(({ candidates: [first] }) => first ?? []);
  const shares = chosen.map(({ bug }) => likelihood.share(bug));
  const failing = [
    ...new Set(symptoms.flatMap(({ check, failed }) => (failed === undefined ? [] : [check]))),
  ];
  const causeOf = new Map(failing.map((check) => [check, strongest(shares, check)]));
  const parts = partsOf(new Set(causeOf.values()), chosen, likelihood);
  const hidden = hiddenBehind(new Set([...causeOf.values(), ...parts.keys()]), chosen, shares);
  return explained
    .map(({ candidates }, i): LikelyCause => {
      const beside = chosen.filter((_, place) => place !== i).map(({ bug }) => bug);
      const part = parts.get(i);
      return {
        isLikely: candidates.slice(0, 1).some((first) => isLikely(first, beside, symptoms, likelihood)),
        bugs: possibleBugs(candidates, hidden.get(i) ?? []),
        checks: failing.filter((check) => part?.has(check) ?? causeOf.get(check) === i),
      };
    })
    .filter(({ checks }) => checks.length > 0)
    .toSorted((one, other) => other.checks.length - one.checks.length);
}

/** Of bugs that make the most of no check: the checks of which they make a failure that no other bug makes as well. */
function partsOf(
  shown: ReadonlySet<number | undefined>,
  chosen: readonly Candidate[],
  likelihood: Likelihood,
): ReadonlyMap<number, ReadonlySet<string>> {
  const made = chosen.map(({ bug }) => likelihood.failuresBy(bug));
  const parts = made.map((own, i) => {
    const due = [...own].filter(
      ([symptom, chance]) =>
        chance >= LEAST_SHARE &&
        made.every((other, place) => place === i || (other.get(symptom) ?? 0) < chance),
    );
    return [i, new Set(due.map(([{ check }]) => check))] as const;
  });
  return new Map(parts.filter(([i, checks]) => !shown.has(i) && checks.size > 0));
}

/** A check must be explained by more than chance. */
const LEAST_SHARE = 0.05;

/** The cause that makes the most of a check's failures; undefined where none makes much. */
function strongest(shares: readonly ReadonlyMap<string, number>[], check: string): number | undefined {
  const all = shares.map((share) => share.get(check) ?? 0);
  const most = Math.max(...all);
  return most < LEAST_SHARE ? undefined : all.indexOf(most);
}

/** Bugs that explain a part of what others explain the most of: each by the one that it shares the most with. */
function hiddenBehind(
  shown: ReadonlySet<number | undefined>,
  chosen: readonly Candidate[],
  shares: readonly ReadonlyMap<string, number>[],
): ReadonlyMap<number | undefined, readonly Candidate[]> {
  const hidden = chosen.filter((_, i) => !shown.has(i));
  return Map.groupBy(hidden, (candidate) => {
    const [most] = [...(shares[chosen.indexOf(candidate)] ?? [])].toSorted(([, a], [, b]) => b - a);
    return most === undefined ? undefined : strongest(shares, most[0]);
  });
}

function isLikely(
  { bug, chance, gain }: Candidate,
  beside: readonly KnownBug[],
  symptoms: readonly Symptom[],
  { bugs, isInvariant }: Likelihood,
): boolean {
  if (chance < LIKELY_CHANCE || gain < LIKELY_GAIN) return false;
  return isBorneOut(bug, beside, symptoms, bugs, isInvariant);
}

function possibleBugs(
  [first, ...others]: readonly Candidate[],
  beside: readonly Candidate[],
): readonly PossibleBug[] {
  return [
    ...(first === undefined ? [] : [first]),
    ...beside,
    ...others.filter(({ bug }) => beside.every((each) => each.bug !== bug)),
  ]
    .filter(({ chance }, i) => i === 0 || chance >= LEAST_CHANCE)
    .slice(0, MOST_BUGS_NAMED)
    .map(possibleBug);
}

function possibleBug({ bug: { name, story, clauses }, chance }: Candidate): PossibleBug {
  return { name, story, clauses, chance: Math.round(chance * 100) / 100 };
}
