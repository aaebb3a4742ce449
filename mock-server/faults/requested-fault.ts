import { FAULT_HEADER, FAULT_MODEL_PREFIX } from './fault-catalogue.ts';
import type { Endpoint } from '../protocol/request.ts';
import { ServiceError } from '../protocol/service-error.ts';
import { compileRule } from './compile-plan.ts';
import { FaultPlanError } from './fault-plan-error.ts';
import { parseFault } from './parse-fault.ts';
import type { Match, Rule } from './rule.ts';

/** What a request cannot say of a fault that it asks for itself: that is always for this one request, and once. */
const OF_PLANS: ReadonlySet<string> = new Set(['match', 'times', 'after', 'ttl', 'probability']);

/** The rule in a request's header. Throws `invalid_fault`. */
export function faultOfHeader(text: string, endpoint: Endpoint): Rule {
  return compile(text, { endpoint }, FAULT_HEADER);
}

/** The rule in a model ID; null: the ID is not a reserved one. Throws `invalid_fault`. */
export function faultOfModel(model: string): Rule | null {
  if (!model.startsWith(FAULT_MODEL_PREFIX)) return null;
  // That it asks for a model says that it cannot strike before the model is known.
  return compile(model.slice(FAULT_MODEL_PREFIX.length), { model }, 'model');
}

function compile(text: string, match: Match, place: string): Rule {
  try {
    const fields = parseFault(text);
    const foreign = Object.keys(fields).find((name) => OF_PLANS.has(name));
    if (foreign === undefined) return compileRule({ ...fields, match });
    throw new FaultPlanError([foreign], 'only for a rule of a plan, not for one request');
  } catch (error) {
    if (!(error instanceof FaultPlanError)) throw error;
    throw new ServiceError('invalid_fault', { path: [place, ...error.path], detail: error.problem });
  }
}
