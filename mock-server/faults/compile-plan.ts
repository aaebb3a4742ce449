import { LARGEST, FAULTS, type FaultName, isFaultName } from './fault-catalogue.ts';
import { compileMatch } from './compile-match.ts';
import { compilePhase } from './compile-phase.ts';
import { compileFault } from './compile-trouble.ts';
import { FaultPlanError } from './fault-plan-error.ts';
import {
  type Fields,
  readFields,
  readInteger,
  readProbability,
  readString,
  refuseOtherFields,
} from './plan-fields.ts';
import type { Rule } from './rule.ts';

/** The fields of every rule; those of its fault stand beside them. */
const RULE_FIELDS = ['fault', 'phase', 'match', 'times', 'after', 'ttl', 'probability'];

/** The rules of a plan, in order, from a JSON array: all of them, or a FaultPlanError for the first wrong place. */
export function compilePlan(json: unknown, path: Fields['path'] = []): readonly Rule[] {
  if (!Array.isArray(json)) throw new FaultPlanError(path, 'a list of rules is needed here');
  return json.map((rule: unknown, index) => compileRule(rule, [...path, index]));
}

/** One rule from JSON. Throws a FaultPlanError. */
export function compileRule(json: unknown, path: Fields['path'] = []): Rule {
  const fields = readFields(json, path, 'A rule');
  const name = compileName(fields);
  refuseOtherFields(fields, [...RULE_FIELDS, ...Object.keys(FAULTS[name].parameters)], name);
  const match = compileMatch(fields, name);
  const phase = compilePhase(fields, name, match);
  const rule = { fault: compileFault(fields, name, phase), phase, match, ...compileFrequency(fields) };
  if (match.nth === undefined || rule.after === 0) return rule;
  throw new FaultPlanError([...path, 'after'], 'not beside nth, which counts by itself');
}

function compileName(fields: Fields): FaultName {
  const name = readString(fields, 'fault');
  if (name !== undefined && isFaultName(name)) return name;
  const known = Object.keys(FAULTS).join(', ');
  throw new FaultPlanError(
    [...fields.path, 'fault'],
    name === undefined ? `a fault is needed here: ${known}` : `no such fault; the faults are ${known}`,
  );
}

function compileFrequency(fields: Fields): Pick<Rule, 'times' | 'after' | 'ttl' | 'probability'> {
  const maximum = LARGEST;
  return {
    times: readInteger(fields, 'times', { minimum: 1, maximum }) ?? Infinity,
    after: readInteger(fields, 'after', { minimum: 0, maximum }) ?? 0,
    ttl: readInteger(fields, 'ttl', { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) ?? Infinity,
    probability: readProbability(fields, 'probability') ?? 1,
  };
}
