import { nearestNames } from '../../fixtures/words/did-you-mean.ts';
import { FAULT_MODEL_PREFIX } from '../protocol/request.ts';
import { jsonPointer, type Step } from '../protocol/service-error.ts';

/** A rule that cannot be armed. Its message is one line: the place, and what would be possible there. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
  /** Into the list of rules or the rule. Its names are the caller's. */
  readonly path: readonly Step[];
  /** Repeats nothing that the caller gave. */
  readonly problem: string;

  constructor(path: readonly Step[], problem: string, options?: ErrorOptions) {
    super(path.length === 0 ? problem : `${jsonPointer(path)}: ${problem}`, options);
    this.path = path;
    this.problem = problem;
  }
}

/** Compiles each rule of a list, in order. The first step of the path of a RuleError becomes the index of its rule. */
export function eachRule<Given, Compiled>(
  list: readonly Given[],
  compile: (given: Given) => Compiled,
): readonly Compiled[] {
  return list.map((given, index) => {
    try {
      return compile(given);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      throw new RuleError([index, ...error.path], error.problem, { cause: error });
    }
  });
}

/** The names that a rule of a world can use. */
export interface WorldNames {
  readonly models: readonly { readonly id: string }[];
  readonly keys: readonly { readonly name: string }[];
}

/** A rule, as far as it names something of a world. */
interface NamingRule {
  readonly match?: { readonly model?: string; readonly key?: string };
}

/** An error for each key and model that the world does not have: a rule for it could never match. A reserved ID can. */
export function unknownNames(
  rules: readonly NamingRule[],
  { models, keys }: WorldNames,
): readonly RuleError[] {
  const known = { model: models.map(({ id }) => id), key: keys.map(({ name }) => name) };
  return rules.flatMap(({ match = {} }, index) =>
    (['model', 'key'] as const).flatMap((field) => {
      const given = match[field];
      if (given === undefined || known[field].includes(given)) return [];
      if (field === 'model' && given.startsWith(FAULT_MODEL_PREFIX)) return [];
      const problem = `no ${field} of this world${suggestion(given, known[field])}; it has ${known[field].join(', ')}`;
      return [new RuleError([index, 'match', field], problem)];
    }),
  );
}

/** ` (did you mean body?)`, or nothing where no known name is near. */
export function suggestion(given: unknown, known: readonly string[]): string {
  const [nearest] = typeof given === 'string' ? nearestNames(given, known) : [];
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
}
