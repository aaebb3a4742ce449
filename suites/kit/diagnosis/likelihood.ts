import type { KnownBug, Sign } from './signature.ts';
import type { Failed, Symptom } from './symptoms.ts';

/** That something happens which no known bug explains. */
const UNEXPLAINED = 0.002;

/** The least likelihood of one symptom: a single one that contradicts a bug does not exclude it. */
const LEAST = 1e-4;

/** A stimulus on which an invariant was never seen to fail. */
const NEW_SOURCE = 0.15;

/** A failure of the same code that says something else, and of another code. */
const OTHER_WORDS = 0.3;
const OTHER_CODE = 0.03;

/** An answer of a shape that the bug was never seen with, since another service has other names; or another answer. */
const OTHER_SHAPE = 0.4;
const OTHER_ANSWER = 0.1;

/**
 * How likely sets of bugs make the symptoms of one run. Each bug of a set makes a check fail on an input by itself; a
 * symptom that none of them makes is unexplained, and an input on which one of them fails but the service held
 * contradicts it. Several symptoms of one check count less than as many checks.
 */
export class Likelihood {
  /** Bugs that explain anything at all. */
  readonly bugs: readonly KnownBug[];
  readonly isInvariant: (check: string) => boolean;
  readonly #symptoms: readonly Symptom[];
  readonly #weights: readonly number[];
  /** For each bug: symptoms by their place, and how likely it makes them (or makes fail what held). */
  readonly #makes: ReadonlyMap<KnownBug, readonly (readonly [place: number, chance: number])[]>;

  constructor(all: readonly Symptom[], bugs: readonly KnownBug[], isInvariant: (check: string) => boolean) {
    this.isInvariant = isInvariant;
    const failing = new Set(all.filter(({ failed }) => failed !== undefined).map(({ check }) => check));
    this.bugs = bugs.filter(({ signs }) => [...signs.keys()].some((check) => failing.has(check)));
    const known = new Set(this.bugs.flatMap(({ signs }) => [...signs.keys()]));
    this.#symptoms = all.filter(({ check }) => failing.has(check) || known.has(check));
    const alike = Map.groupBy(this.#symptoms, kindOfSymptom);
    this.#weights = this.#symptoms.map((each) => 1 / Math.sqrt(alike.get(kindOfSymptom(each))?.length ?? 1));
    this.#makes = new Map(
      this.bugs.map((bug) => [
        bug,
        this.#symptoms.flatMap((symptom, place) => {
          const sign = bug.signs.get(symptom.check);
          if (sign === undefined) return [];
          return [[place, chanceOf(symptom, sign, isInvariant(symptom.check))] as const];
        }),
      ]),
    );
  }

  /** For each symptom, the chance that none of these bugs makes it. */
  without(bugs: readonly KnownBug[]): readonly number[] {
    const chances = this.#symptoms.map(() => 1 - UNEXPLAINED);
    for (const bug of bugs)
      for (const [place, chance] of this.#makes.get(bug) ?? [])
        chances[place] = (chances[place] ?? 1) * (1 - chance);
    return chances;
  }

  /** By how much one bug more makes the symptoms likelier, as a difference of logarithms. */
  gain(without: readonly number[], bug: KnownBug): number {
    let gain = 0;
    for (const [place, chance] of this.#makes.get(bug) ?? []) {
      const before = without[place] ?? 1;
      gain +=
        (this.#weights[place] ?? 1) * (this.#log(place, before * (1 - chance)) - this.#log(place, before));
    }
    return gain;
  }

  #log(place: number, none: number): number {
    return this.#symptoms[place]?.failed === undefined
      ? Math.log(Math.max(none, LEAST))
      : Math.log(Math.max(1 - none, UNEXPLAINED));
  }

  /** How likely a bug makes each failure. */
  failuresBy(bug: KnownBug): ReadonlyMap<Symptom, number> {
    const failures = (this.#makes.get(bug) ?? []).flatMap(([place, chance]) => {
      const symptom = this.#symptoms[place];
      return symptom?.failed === undefined ? [] : [[symptom, chance] as const];
    });
    return new Map(failures);
  }

  /** How much of each failing check a bug makes, as the sum of its chances. */
  share(bug: KnownBug): ReadonlyMap<string, number> {
    const shares = new Map<string, number>();
    for (const [{ check }, chance] of this.failuresBy(bug))
      shares.set(check, (shares.get(check) ?? 0) + chance);
    return shares;
  }
}

function kindOfSymptom({ check, failed }: Symptom): string {
  return `${check} ${failed === undefined}`;
}

function chanceOf({ input, failed }: Symptom, sign: Sign, isInvariant: boolean): number {
  const chance = chanceOfFailure(input, sign, isInvariant);
  return failed === undefined ? chance : chance * likeness(failed, sign);
}

function chanceOfFailure(input: string, sign: Sign, isInvariant: boolean): number {
  if (sign.fails.has(input)) return 0.97;
  if (sign.holds.has(input)) return 0.03;
  if (sign.varies.has(input)) return 0.5;
  if (isInvariant) return NEW_SOURCE;
  const { failed, tried } = outcomesAt(placeOf(input), sign) ?? sign;
  return Math.max(0.02, Math.min(0.9, (failed + 0.2) / (tried + 0.6)));
}

/** Where an input is wrong, such as `/temperature`; undefined where it is in no one place. */
function placeOf(input: string): string | undefined {
  return /^\/\S*/.exec(input)?.[0];
}

/** How inputs fared with the bug that are wrong in the same place: they tell more of a new one than all others do. */
function outcomesAt(
  place: string | undefined,
  { fails, holds, varies }: Sign,
): { readonly failed: number; readonly tried: number } | undefined {
  if (place === undefined) return undefined;
  const [failed = 0, held = 0, both = 0] = [fails, holds, varies].map(
    (inputs) => [...inputs].filter((each) => placeOf(each) === place).length,
  );
  const tried = failed + held + both;
  return tried === 0 ? undefined : { failed: failed + both / 2, tried };
}

/** How much a failure is like those that the bug was seen with. */
function likeness({ kind, answer, shape }: Failed, { kinds, answers, shapes }: Sign): number {
  const ofAnswer = shapes.has(shape) ? 1 : answers.has(answer) ? OTHER_SHAPE : OTHER_ANSWER;
  return likenessOfKind(kind, kinds) * ofAnswer;
}

function likenessOfKind(kind: string, kinds: ReadonlyMap<string, number>): number {
  const share = kinds.get(kind);
  if (share !== undefined) return 0.2 + 0.8 * share;
  const code = kind.split(' ', 1)[0];
  return [...kinds.keys()].some((each) => each.split(' ', 1)[0] === code) ? OTHER_WORDS : OTHER_CODE;
}
