import { type RuleLineReading, ruleTokens, ruleValue } from '../protocol/rule-line.ts';
import { FaultPlanError } from './rule.ts';

/** Names whose values are always words, even if they look like numbers. */
const TEXTS = new Set(['model', 'key']);
const MATCHES = new Set(['endpoint', 'model', 'stream', 'key', 'nth', 'every', 'per']);

const READING: RuleLineReading = {
  fail: (path, problem, options) => new FaultPlanError(path, problem, options),
  needed: 'a fault and then NAME=VALUE are needed',
  isText: (name) => TEXTS.has(name),
};

/**
 * A rule as one line: `gateway_failure phase=after-debit body=html times=1`, what it is for beside the rest
 * (`model="a b"`). Gives the rule as JSON would have it, still to be compiled; throws a FaultPlanError for what is no
 * such line.
 */
export function parseFault(text: string): Readonly<Record<string, unknown>> {
  const rule = new Map<string, unknown>();
  const match = new Map<string, unknown>();
  for (const { name, value = '', word } of ruleTokens(text, READING)) {
    if (name === undefined) put(rule, 'fault', word);
    else put(MATCHES.has(name) ? match : rule, name, ruleValue(name, value, READING));
  }
  if (match.size > 0) put(rule, 'match', Object.fromEntries(match));
  return Object.fromEntries(rule);
}

function put(fields: Map<string, unknown>, name: string, value: unknown): void {
  if (fields.has(name)) throw new FaultPlanError([name], 'given twice');
  fields.set(name, value);
}
