import { type Endpoint, FAULT_HEADER } from '../protocol/request.ts';
import { ServiceError } from '../protocol/service-error.ts';
import { RuleError } from '../rules/rule-error.ts';
import { FAULT_MODEL_PREFIX } from './catalogue/fault-catalogue.ts';
import { compileRule, parseFault } from './compile-rules.ts';
import type { Match, Rule } from './rule.ts';

/** Fields that a request cannot use: the fault that it asks for is for this one request, and once. */
const OF_PLANS: ReadonlySet<string> = new Set(['match', 'times', 'after', 'ttl', 'probability']);

/** The rule in a request's header. Throws `invalid_fault`. */
export function faultOfHeader(text: string, endpoint: Endpoint): Rule {
  return compile(text, { endpoint }, FAULT_HEADER);
}

/** The rule in a model ID; null: the ID is not a reserved one. Throws `invalid_fault`. */
export function faultOfModel(model: string): Rule | null {
  if (!model.startsWith(FAULT_MODEL_PREFIX)) return null;
  // A match of a model excludes the phases before the model is known.
  return compile(model.slice(FAULT_MODEL_PREFIX.length), { model }, 'model');
}

function compile(text: string, match: Match, place: string): Rule {
  try {
    const fields = parseFault(text);
    const foreign = Object.keys(fields).find((name) => OF_PLANS.has(name));
    if (foreign === undefined) return compileRule({ ...fields, match });
    throw new RuleError([foreign], 'only for a rule of a plan, not for one request');
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    throw new ServiceError('invalid_fault', { path: [place, ...error.path], detail: error.problem });
  }
}
