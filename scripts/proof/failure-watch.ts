import { isDeepStrictEqual } from 'node:util';
import type { Check } from '../../suites/kit/model/check.ts';
import type { Exchange } from '../../suites/kit/model/exchange.ts';
import type { Invariant } from '../../suites/kit/model/invariant.ts';
import type { Ruling } from '../../suites/kit/model/ruling.ts';
import type { Survey } from '../../suites/kit/model/target-info.ts';
import type { Trial } from '../../suites/kit/model/trial.ts';
import type { Catalogue } from '../cli/options/select-checks.ts';

/** Watches the checks of one run fail, and counts after how many exchanges each did so first. */
export class FailureWatch {
  readonly #order = new Map<string, number>();
  readonly #first = new Map<string, number>();

  /** To be told of every exchange as it ends. */
  readonly ended = ({ id }: Exchange): void => {
    if (!this.#order.has(id)) this.#order.set(id, this.#order.size + 1);
  };

  /** How many exchanges had ended with the one that a check failed on first; undefined: it never failed. */
  firstFailureOf(checkId: string): number | undefined {
    return this.#first.get(checkId);
  }

  /** The same checks, watched. */
  watched({ checks, invariants }: Catalogue): Catalogue {
    return {
      checks: checks.map((check) => this.#watchedCheck(check)),
      invariants: invariants.map((invariant) => this.#watchedInvariant(invariant)),
    };
  }

  #watchedCheck(check: Check): Check {
    const { id, holds, tellsUncertain } = check;
    return {
      ...check,
      holds: (trial, survey) => this.#noted(id, trial, survey, holds(trial, survey)),
      ...(tellsUncertain && {
        tellsUncertain: (trial, survey) => {
          const ruling = tellsUncertain(trial, survey);
          return ruling && this.#noted(id, trial, survey, ruling);
        },
      }),
    };
  }

  #watchedInvariant(invariant: Invariant): Invariant {
    return {
      ...invariant,
      judge: (survey) => {
        const judge = invariant.judge(survey);
        return (exchange) => {
          const ruling = judge(exchange);
          return ruling && this.#noted(invariant.id, { exchanges: [exchange] }, survey, ruling);
        };
      },
    };
  }

  #noted(checkId: string, { exchanges, control }: Trial, survey: Survey, ruling: Ruling): Ruling {
    if (isFailure(ruling, survey)) {
      const all = control === undefined ? exchanges : [...exchanges, control];
      const after = Math.max(...all.map(({ id }) => this.#order.get(id) ?? 0));
      this.#first.set(checkId, Math.min(after, this.#first.get(checkId) ?? Infinity));
    }
    return ruling;
  }
}

/** A violation, or an observation that a pin forbids. */
function isFailure(ruling: Ruling, { profile }: Survey): boolean {
  if (ruling.kind === 'violated') return true;
  if (ruling.kind !== 'observed') return false;
  const { pins = {} } = profile;
  return ruling.observations.some(
    ({ point, value }) => Object.hasOwn(pins, point) && !isDeepStrictEqual(pins[point], value),
  );
}
