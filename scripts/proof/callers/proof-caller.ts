import type { CallerScenarioName } from '../../caller/scenarios/caller-scenarios.ts';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { CallerInputs } from '../../caller/caller-inputs.ts';
import type { StartCaller } from '../../caller/run-scenario.ts';

/** A caller that is known to be faithful, or known to break clauses: the judge must find just that. */
export interface ProofCaller {
  /** Words joined by hyphens. */
  readonly name: string;
  readonly kind: 'broken-caller' | 'faithful-caller';
  /** The clauses that it breaks, and no other; none for a faithful one. */
  readonly clauses: readonly ClauseId[];
  readonly scenarios: readonly CallerScenarioName[];
  readonly start: StartCaller;
}

/** Runs a caller that is a function, in this process; what it returns is what it would have printed. */
export function inProcess(run: (place: CallerInputs) => Promise<string | void>): StartCaller {
  return async (place) => ({ kind: 'exited', code: 0, output: (await run(place)) ?? '' });
}

/** Declares a broken caller that is a function. */
export function broken(
  name: string,
  scenario: CallerScenarioName,
  clauses: readonly ClauseId[],
  run: (place: CallerInputs) => Promise<string | void>,
): ProofCaller {
  return { name, kind: 'broken-caller', clauses, scenarios: [scenario], start: inProcess(run) };
}

/** Declares a faithful caller. */
export function faithful(
  name: string,
  scenarios: readonly CallerScenarioName[],
  start: StartCaller,
): ProofCaller {
  return { name, kind: 'faithful-caller', clauses: [], scenarios, start };
}
