import type { z } from 'zod';
import { jsonPointer } from '../../fixtures/chats/chat.ts';
import { nearestNames } from '../../fixtures/words/did-you-mean.ts';
import type { Step } from '../protocol/service-error.ts';

/** What somebody wrote cannot be used. The message is one line: the place, and what would be possible there. */
export class InputError extends Error {
  override readonly name = 'InputError';
  /** Its names are the caller's. */
  readonly path: readonly Step[];
  /** Repeats nothing that the caller gave. */
  readonly problem: string;
  /** Whether the place is a field that does not exist. */
  readonly isUnknown: boolean;

  constructor(path: readonly Step[], problem: string, options?: ErrorOptions & { isUnknown?: boolean }) {
    super(path.length === 0 ? problem : `${jsonPointer(...path)}: ${problem}`, options);
    this.path = path;
    this.problem = problem;
    this.isUnknown = options?.isUnknown === true;
  }
}

/** Makes something. In place of an InputError it throws what `explain` makes of it. */
export function explained<Made>(make: () => Made, explain: (error: InputError) => Error): Made {
  try {
    return make();
  } catch (error) {
    throw error instanceof InputError ? explain(error) : error;
  }
}

/** Puts steps before the path of an InputError that `make` throws. */
export function within<Made>(steps: readonly Step[], make: () => Made): Made {
  return explained(
    make,
    (cause) =>
      new InputError([...steps, ...cause.path], cause.problem, { isUnknown: cause.isUnknown, cause }),
  );
}

/** Names the call whose argument is wrong, in place of an InputError. */
export function called<Made>(call: string, make: () => Made): Made {
  return explained(make, (cause) => new TypeError(`${call}: ${cause.message}`, { cause }));
}

/** Makes something of each member of a list, in order. The path of an InputError begins with the index. */
export function each<Given, Made>(list: readonly Given[], make: (given: Given) => Made): readonly Made[] {
  return list.map((given, index) => within([index], () => make(given)));
}

/** The value as its schema reads it. Throws an InputError: an unknown field is reported before a wrong value. */
export function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { error: messageOf });
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(meant);
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const steps = [...(issue?.path ?? []), ...unknown].map((step) => (typeof step === 'symbol' ? '' : step));
  throw new InputError(steps, issue?.message ?? 'is wrong', { isUnknown: unknown.length > 0 });
}

/** What to say of an issue whose schema has no message of its own. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') return unknownField(issue.keys[0] ?? '', issue.inst);
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.input === undefined && issue.path?.length !== 0) return 'is missing';
  return issue.expected === 'object' ? 'expected an object' : undefined;
}

/** Where an unknown field belongs, one level deeper or to a name that is spelt like it, and which are allowed. */
function unknownField(name: string, schema: unknown): string {
  const fields = Object.entries(shapeOf(schema)).map(
    ([field, inner]) => [field, Object.keys(shapeOf(inner))] as const,
  );
  const [outer] = fields.find(([, inner]) => inner.includes(name)) ?? [];
  const hint = outer === undefined ? suggestion(name, fields.flat(2)) : `, which belongs in ${outer}`;
  return `unknown field${hint}; allowed: ${fields.map(([field]) => field).join(', ') || 'none'}`;
}

/** Of an object, or of what wraps one: no schema is loaded to say that a rule or a world is wrong. */
function shapeOf(schema: unknown): object {
  const { def = {} }: { readonly def?: { readonly shape?: object; readonly innerType?: unknown } } =
    Object(schema);
  return def.shape ?? (def.innerType === undefined ? {} : shapeOf(def.innerType));
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

/** `no key of this world (did you mean primary?); it has primary, second`. `what`: of what has the names. */
export function unknownName(what: string, given: string, known: readonly string[]): string {
  return `no ${what}${suggestion(given, known)}; it has ${known.join(', ')}`;
}
