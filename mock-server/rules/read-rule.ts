import { z } from 'zod';
import { checkMatch, type RuleWords } from './match.ts';
import { RuleError } from './rule-error.ts';
import { type LineSyntax, readRuleLine } from './rule-line.ts';

/** Rules of one kind: how they stand on a line, and what they say. */
export interface RuleKind<Words extends RuleWords> extends LineSyntax {
  readonly schema: z.ZodType<Words>;
  /** Lines. */
  readonly examples: readonly string[];
}

/** Reads a rule from JSON or from a line. Throws a RuleError; an unknown field is reported before a wrong value. */
export function readRule<Words extends RuleWords>(given: unknown, kind: RuleKind<Words>): Words {
  const parsed = kind.schema.safeParse(typeof given === 'string' ? readRuleLine(given, kind) : given);
  if (!parsed.success) throw wrongField(parsed.error);
  const { match = {}, after = 0 } = parsed.data;
  checkMatch(match);
  if (match.nth !== undefined && after !== 0)
    throw new RuleError(['after'], 'not beside nth, which counts all matching requests');
  return parsed.data;
}

/** JSON Schema of what arms rules of a kind: a rule or a line, or a list of them. */
export function rulesJsonSchema({ schema, examples }: RuleKind<RuleWords>): object {
  const line = z.string().meta({ description: 'The same on one line', examples });
  const rule = z.union([schema, line]);
  const { $schema: _, ...described } = z.toJSONSchema(z.union([rule, z.array(rule)]), { io: 'input' });
  return described;
}

function wrongField({ issues }: z.ZodError): RuleError {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const field = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const place = [...(issue?.path ?? []), ...field].map((step) => (typeof step === 'symbol' ? '' : step));
  return new RuleError(place, issue?.message ?? 'is wrong');
}

/** A rule in a file, as JSON or as a line, which `read` checks. */
export function ruleInFile<Words>(kind: RuleKind<RuleWords>, read: (given: unknown) => Words) {
  return z
    .unknown()
    .meta({ anyOf: [z.toJSONSchema(kind.schema, { io: 'input' }), { type: 'string' }] })
    .transform((given, context): Words => {
      try {
        return read(given);
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
        context.issues.push({
          code: 'custom',
          input: given,
          path: [...error.path],
          message: error.problem,
        });
        return z.NEVER;
      }
    });
}
