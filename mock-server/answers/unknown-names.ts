import type { Step } from '../protocol/service-error.ts';

/** The names that a rule of a world can use. */
export interface AnswerNames {
  readonly models: readonly { readonly id: string }[];
  readonly keys: readonly { readonly name: string }[];
}

/** A rule, as far as it names something of a world. */
interface NamingRule {
  readonly match?: { readonly model?: string; readonly key?: string };
}

/** A rule with a key or a model that its world does not have could never match. */
export function unknownNames(
  rules: readonly NamingRule[],
  { models, keys }: AnswerNames,
): readonly { readonly path: readonly Step[]; readonly problem: string }[] {
  const known = { model: models.map(({ id }) => id), key: keys.map(({ name }) => name) };
  return rules.flatMap(({ match = {} }, index) =>
    (['model', 'key'] as const).flatMap((field) => {
      const given = match[field];
      if (given === undefined || known[field].includes(given)) return [];
      const problem = `no ${field} of this world; it has ${known[field].join(', ')}`;
      return [{ path: [index, 'match', field], problem }];
    }),
  );
}
