import type { KnownBug, Sign } from './signature.ts';
import type { Failed, Symptom } from './symptoms.ts';

/** What a run says for a known bug, and against it. */
interface Evidence {
  /** Failures as the bug makes them, on inputs on which it was seen to. */
  readonly made: number;
  /** What held on inputs on which it holds with the bug too. */
  readonly spared: number;
  /** Failures like those of the bug, on inputs on which it was never tried. */
  readonly untried: number;
  /** What held and fails with the bug, or fails otherwise than with the bug. */
  readonly against: number;
  /** Whether no other known bugs would explain as much, of those that nothing contradicts. */
  readonly isAlone: boolean;
}

/** Fewer inputs cannot tell a narrow bug from a wider one. */
const LEAST_SYMPTOMS = 3;

/** The share of failures on inputs on which the bug was never tried. */
const MOST_UNTRIED = 1 / 2;

/** As many failures are due to one bug, rather than to several that each explain a part of them. */
const MANY = 6;

/**
 * Whether the symptoms are what a bug makes them: all of them, with nothing against it, and some that are due to it
 * alone. A mistake that is like a known bug, but is none, is nearly always wider, narrower or other than the known one.
 * `beside` are the other bugs of the explanation, whose failures do not count against this one.
 */
export function isBorneOut(
  bug: KnownBug,
  beside: readonly KnownBug[],
  symptoms: readonly Symptom[],
  known: readonly KnownBug[],
  isInvariant: (check: string) => boolean,
): boolean {
  const { made, spared, untried, against, isAlone } = evidenceOf(
    bug,
    beside,
    symptoms.filter((each) => beside.length === 0 || !mayHaveNothingToJudge(each, isInvariant)),
    known,
  );
  return (
    against === 0 && isAlone && made + spared >= LEAST_SYMPTOMS && untried <= MOST_UNTRIED * (made + untried)
  );
}

/** What another bug serves, in place of refusing it, leaves nothing to an invariant of refusals. */
function mayHaveNothingToJudge({ check, failed }: Symptom, isInvariant: (check: string) => boolean): boolean {
  return failed === undefined && isInvariant(check);
}

function evidenceOf(
  bug: KnownBug,
  beside: readonly KnownBug[],
  symptoms: readonly Symptom[],
  known: readonly KnownBug[],
): Evidence {
  const found = { spared: 0, untried: 0, against: 0 };
  const made: Symptom[] = [];
  for (const symptom of symptoms) {
    const sign = bug.signs.get(symptom.check);
    const relation = sign === undefined ? 'none' : relationOf(symptom, sign);
    if (relation === 'none') continue;
    if (relation === 'made') made.push(symptom);
    else if (symptom.failed === undefined || !beside.some((other) => makes(other, symptom)))
      found[relation] += 1;
  }
  const rivals = known.filter((each) => isRival(each, bug, beside, symptoms));
  return { ...found, made: made.length, isAlone: isDueTo(bug, made, rivals) };
}

function isDueTo(bug: KnownBug, made: readonly Symptom[], rivals: readonly KnownBug[]): boolean {
  const isMadeBy = (symptom: Symptom) => (rival: KnownBug) => makesAsWell(rival, symptom, bug);
  if (made.some((symptom) => !rivals.some(isMadeBy(symptom)))) return true;
  return made.length >= MANY && !rivals.some((rival) => made.every((symptom) => isMadeBy(symptom)(rival)));
}

/** How one symptom stands to what a bug was seen to do. */
function relationOf(
  { input, failed }: Symptom,
  sign: Sign,
): 'made' | 'spared' | 'untried' | 'against' | 'none' {
  if (failed === undefined) {
    if (sign.fails.has(input)) return 'against';
    return sign.holds.has(input) ? 'spared' : 'none';
  }
  if (!sign.kinds.has(failed.kind) || sign.holds.has(input)) return 'against';
  return sign.fails.has(input) || sign.varies.has(input) ? 'made' : 'untried';
}

/** Whether a bug that is not of the explanation could be the right one, or with others. */
function isRival(
  rival: KnownBug,
  bug: KnownBug,
  beside: readonly KnownBug[],
  symptoms: readonly Symptom[],
): boolean {
  if (rival === bug || beside.includes(rival)) return false;
  if (![...bug.signs.keys()].some((check) => rival.signs.has(check))) return false;
  return !symptoms.some(
    ({ check, input, failed }) => failed === undefined && rival.signs.get(check)?.fails.has(input) === true,
  );
}

function makes({ signs }: KnownBug, { check, input, failed }: Symptom): boolean {
  const sign = signs.get(check);
  if (sign === undefined || failed === undefined) return false;
  return (sign.fails.has(input) || sign.varies.has(input)) && hasCode(sign, failed);
}

/** Where the shape of an answer is known, it tells bugs apart that differ in nothing else. */
function makesAsWell(rival: KnownBug, symptom: Symptom, bug: KnownBug): boolean {
  const shape = symptom.failed?.shape ?? '';
  const shapes = bug.signs.get(symptom.check)?.shapes ?? new Set();
  return (
    makes(rival, symptom) &&
    (!shapes.has(shape) || rival.signs.get(symptom.check)?.shapes.has(shape) === true)
  );
}

/** Another service may say the same in other words. */
function hasCode({ kinds }: Sign, { kind }: Failed): boolean {
  const [code] = kind.split(' ', 1);
  return [...kinds.keys()].some((each) => each.split(' ', 1)[0] === code);
}
