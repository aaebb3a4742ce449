import { FAULTS, type FaultName } from './fault-catalogue.ts';
import { type Phase, PHASES, READING_PHASES } from './phases.ts';
import { FaultPlanError } from './fault-plan-error.ts';
import { type Fields, readString } from './plan-fields.ts';
import type { Match } from './rule.ts';

/**
 * The phase at which a rule strikes: the one given, or else the fault's default, or where that is impossible for what
 * the rule is for, the next one that is possible. Throws a FaultPlanError that lists those possible.
 */
export function compilePhase(rule: Fields, name: FaultName, match: Match): Phase {
  const possible = possiblePhases(name, match);
  const given = readString(rule, 'phase');
  if (given === undefined) return nextFrom(FAULTS[name].defaultPhase, possible);
  const phase = possible.find((one) => one === given);
  if (phase !== undefined) return phase;
  const problem = PHASES.some((one) => one === given)
    ? `impossible for ${name} here; possible are ${possible.join(', ')}`
    : `no such phase; possible for ${name} are ${possible.join(', ')}`;
  throw new FaultPlanError([...rule.path, 'phase'], problem);
}

/** Where a fault can strike what a rule is for: before authentication nothing but the endpoint is known. */
function possiblePhases(name: FaultName, { endpoint, key, model, stream }: Match): readonly Phase[] {
  const reached = endpoint === undefined || endpoint === 'chat' ? PHASES : READING_PHASES;
  const asksForMore = key !== undefined || model !== undefined || stream !== undefined;
  const phases: readonly Phase[] = FAULTS[name].phases;
  return phases.filter(
    (phase) => reached.includes(phase) && !(asksForMore && phase === 'before-authentication'),
  );
}

function nextFrom(phase: Phase, possible: readonly Phase[]): Phase {
  const later = PHASES.slice(PHASES.indexOf(phase)).find((one) => possible.includes(one));
  return later ?? possible[0] ?? phase;
}
