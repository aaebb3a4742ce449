import { FaultPlanError } from './fault-plan-error.ts';

/** A JSON object being read field by field, and where in the plan it is. */
export interface Fields {
  readonly path: readonly (string | number)[];
  readonly values: Readonly<Record<string, unknown>>;
}

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** A value of a plan as an object of fields. */
export function readFields(value: unknown, path: Fields['path'], what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FaultPlanError(path, `${what} is needed here, an object`);
  return { path, values: Object.fromEntries(Object.entries(value)) };
}

/** Refuses the first field that is not among the known. */
export function refuseOtherFields({ path, values }: Fields, known: readonly string[], whose: string): void {
  const other = Object.keys(values).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw new FaultPlanError([...path, other], `no field of ${whose}; the fields are ${known.join(', ')}`);
}

/** Undefined: absent. */
export function readInteger(fields: Fields, name: string, { minimum, maximum }: Bounds): number | undefined {
  const value = fields.values[name];
  if (value === undefined) return undefined;
  if (Number.isInteger(value) && typeof value === 'number' && value >= minimum && value <= maximum)
    return value;
  throw invalid(fields, name, `a whole number from ${minimum} to ${maximum} is needed here`);
}

/** From 0 to 1; undefined: absent. */
export function readProbability(fields: Fields, name: string): number | undefined {
  const value = fields.values[name];
  if (value === undefined || (typeof value === 'number' && value >= 0 && value <= 1)) return value;
  throw invalid(fields, name, 'a number from 0 to 1 is needed here');
}

export function readString(fields: Fields, name: string): string | undefined {
  const value = fields.values[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalid(fields, name, 'a string is needed here');
}

export function readBoolean(fields: Fields, name: string): boolean | undefined {
  const value = fields.values[name];
  if (value === undefined || typeof value === 'boolean') return value;
  throw invalid(fields, name, 'true or false is needed here');
}

/** One of the choices; undefined: absent. */
export function readChoice<Choice extends string | number>(
  fields: Fields,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = fields.values[name];
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw invalid(fields, name, `one of ${choices.join(', ')} is needed here`);
}

function invalid({ path }: Fields, name: string, problem: string): FaultPlanError {
  return new FaultPlanError([...path, name], problem);
}
