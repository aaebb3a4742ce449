import type { RuleAnswer } from '../state/wire.ts';

/** A file for `mock --scenario` with these rules. */
export function asScenario(rules: readonly RuleAnswer[], seed: number | undefined): string {
  const faults = rules.map(({ rule }) => tidy(rule));
  return `${JSON.stringify({ ...(seed !== undefined && { seed }), faults }, undefined, 2)}\n`;
}

/** A rule without what it would be by default. */
function tidy(rule: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(rule).filter(([name, value]) => !isDefault(name, value)));
}

function isDefault(name: string, value: unknown): boolean {
  if (name === 'after') return value === 0;
  if (name === 'probability') return value === 1;
  return name === 'match' && typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A rule as a line for `--fault`. */
export function asLine(rule: Readonly<Record<string, unknown>>): string {
  const { fault, match, ...rest } = tidy(rule);
  const matched = typeof match === 'object' && match !== null ? Object.entries(match) : [];
  const words = [...Object.entries(rest), ...matched].map(([name, value]) => `${name}=${lineValue(value)}`);
  return [String(fault), ...words].join(' ');
}

function lineValue(value: unknown): string {
  return typeof value === 'string' && !/^[^\s"=]+$/.test(value) ? JSON.stringify(value) : String(value);
}
