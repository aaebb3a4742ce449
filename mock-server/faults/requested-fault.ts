import { InputError } from '../input/input-error.ts';
import { type Endpoint, FAULT_HEADER, FAULT_MODEL_PREFIX } from '../protocol/request.ts';
import { ServiceError } from '../protocol/service-error.ts';
import { type Match, RULE } from '../rules/match.ts';
import { readRuleLine } from '../rules/rule-line.ts';
import { compileFault, FAULT_KIND, type FaultRule } from './compile-faults.ts';

/** The rule in a request's header. Throws `invalid_fault`. */
export function faultOfHeader(line: string, endpoint: Endpoint): FaultRule {
  return compile(line, { endpoint }, FAULT_HEADER);
}

/** The rule in a model ID; null: the ID is not a reserved one. Throws `invalid_fault`. */
export function faultOfModel(model: string): FaultRule | null {
  if (!model.startsWith(FAULT_MODEL_PREFIX)) return null;
  // A match of a model excludes the phases before the model is known.
  return compile(model.slice(FAULT_MODEL_PREFIX.length), { model }, 'model');
}

function compile(line: string, match: Match, place: string): FaultRule {
  try {
    const fields = readRuleLine(line, FAULT_KIND);
    // The fault is for this one request, and once.
    const foreign = Object.keys(fields).find((name) => Object.hasOwn(RULE, name));
    if (foreign === undefined) return compileFault({ ...fields, match });
    throw new InputError([foreign], 'only for a rule of a plan, not for one request');
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new ServiceError('invalid_fault', { path: [place, ...error.path], detail: error.problem });
  }
}
