import { readRuleLine } from '../rules/rule-line.ts';

const MATCHES = new Set(['endpoint', 'model', 'stream', 'key', 'nth', 'every', 'per']);

/**
 * A rule as one line: `gateway_failure phase=after-debit body=html times=1`, what it is for beside the rest
 * (`model="a b"`). Throws a RuleError for what is no such line.
 */
export function parseFault(line: string): Readonly<Record<string, unknown>> {
  const { match, ...rule } = readRuleLine(line, {
    needed: 'a fault and then NAME=VALUE are needed',
    isText: (name) => name === 'model' || name === 'key',
    placeOf: (name) => (MATCHES.has(name) ? ['match', name] : [name]),
    word: 'fault',
  });
  return match === undefined ? rule : { ...rule, match };
}
