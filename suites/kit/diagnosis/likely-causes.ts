import type { LikelyCause, PossibleBug } from '../model/summary.ts';
import { type Candidate, type Explanation, explain } from './explain.ts';
import { Likelihood } from './likelihood.ts';
import type { KnownBug } from './signature.ts';
import type { Symptom } from './symptoms.ts';

/** Below these a bug is not called likely: its chance among the known ones, what it explains, and how well. */
const LIKELY_CHANCE = 0.6;
const LIKELY_GAIN = 4;
const LIKELY_FIT = 0.08;

/** A single failure must fit well: many mistakes can make one request fail. */
const LIKELY_FIT_OF_ONE = 0.5;

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
  const shares = explained.map(({ candidates: [first] }) =>
    first === undefined ? new Map<string, number>() : likelihood.share(first.bug),
  );
  const failing = [
    ...new Set(symptoms.flatMap(({ check, failed }) => (failed === undefined ? [] : [check]))),
  ];
  const causeOf = new Map(failing.map((check) => [check, strongest(shares, check)]));
  return explained
    .map((each, i) =>
      causeFrom(
        each,
        failing.filter((check) => causeOf.get(check) === i),
        likelihood,
      ),
    )
    .filter(({ checks }) => checks.length > 0)
    .toSorted((one, other) => other.checks.length - one.checks.length);
}

/** A check must be explained by more than chance. */
const LEAST_SHARE = 0.1;

/** The cause that makes the most of a check's failures; undefined where none makes much. */
function strongest(shares: readonly ReadonlyMap<string, number>[], check: string): number | undefined {
  const all = shares.map((share) => share.get(check) ?? 0);
  const most = Math.max(...all);
  return most < LEAST_SHARE ? undefined : all.indexOf(most);
}

function causeFrom(
  { candidates }: Explanation,
  checks: readonly string[],
  likelihood: Likelihood,
): LikelyCause {
  const [first] = candidates;
  return {
    isLikely: first !== undefined && isLikely(first, likelihood),
    bugs: candidates
      .filter(({ chance }, i) => i === 0 || chance >= LEAST_CHANCE)
      .slice(0, MOST_BUGS_NAMED)
      .map(possibleBug),
    checks,
  };
}

function isLikely({ bug, chance, gain }: Candidate, likelihood: Likelihood): boolean {
  if (chance < LIKELY_CHANCE || gain < LIKELY_GAIN) return false;
  const { failures, mean } = likelihood.fit(bug);
  return mean >= (failures > 1 ? LIKELY_FIT : LIKELY_FIT_OF_ONE);
}

function possibleBug({ bug: { name, story, clauses }, chance }: Candidate): PossibleBug {
  return { name, story, clauses, chance: Math.round(chance * 100) / 100 };
}
