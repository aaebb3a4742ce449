import type { z } from 'zod';
import { nearestNames } from '../../fixtures/words/did-you-mean.ts';
import { jsonPointer, type Step } from '../protocol/service-error.ts';

/** What somebody wrote cannot be used. The message is one line: the place, and what would be possible there. */
export class InputError extends Error {
  override readonly name = 'InputError';
  /** Its names are the caller's. */
  readonly path: readonly Step[];
  /** Repeats nothing that the caller gave. */
  readonly problem: string;
  /** Whether the place is a field that does not exist. */
  readonly isUnknown: boolean;

  constructor(path: readonly Step[], problem: string, { isUnknown = false, ...options }: Particulars = {}) {
    super(path.length === 0 ? problem : `${jsonPointer(path)}: ${problem}`, options);
    this.path = path;
    this.problem = problem;
    this.isUnknown = isUnknown;
  }
}

interface Particulars extends ErrorOptions {
  readonly isUnknown?: boolean;
}

/** Puts steps before the path of an InputError that `make` throws. */
export function within<Made>(steps: readonly Step[], make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { path, problem, isUnknown } = error;
    throw new InputError([...steps, ...path], problem, { isUnknown, cause: error });
  }
}

/** Makes something of each member of a list, in order. The path of an InputError begins with the index. */
export function each<Given, Made>(list: readonly Given[], make: (given: Given) => Made): readonly Made[] {
  return list.map((given, index) => within([index], () => make(given)));
}

/** The value as its schema reads it. Throws an InputError: an unknown field is reported before a wrong value. */
export function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(meant);
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const field = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []), ...field].map((step) => (typeof step === 'symbol' ? '' : step));
  throw new InputError(path, issue?.message ?? 'is wrong', { isUnknown: field.length > 0 });
}

type Issue = z.core.$ZodIssue;

/** Of a union, what is wrong with the alternative that has the type of the value, if there is one. */
function meant(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const inner = issue.errors.find((issues) => !issues.some(isOfOtherType));
  if (inner === undefined) return [issue];
  return inner.flatMap(meant).map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
}

function isOfOtherType({ code, path }: Issue): boolean {
  return (
    path.length === 0 && ['invalid_type', 'invalid_value', 'invalid_format', 'invalid_union'].includes(code)
  );
}

/** ` (did you mean body?)`, or nothing where no known name is near. */
export function suggestion(given: unknown, known: readonly string[]): string {
  const [nearest] = typeof given === 'string' ? nearestNames(given, known) : [];
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
}
