import { z } from 'zod';
import { each, InputError, parsed } from '../input/input-error.ts';
import { checkMatch, checkNames, type RuleWords, type WorldNames } from './match.ts';
import { type LineSyntax, readRuleLine } from './rule-line.ts';
import type { Rule } from './rule-plan.ts';

/** Rules of one kind: how they stand on a line, and what they say. */
export interface RuleKind<Words extends RuleWords> extends LineSyntax {
  readonly schema: z.ZodType<Words>;
  /** Lines. */
  readonly examples: readonly string[];
}

/** Reads a rule from JSON or from a line. Throws an InputError. */
export function readRule<Words extends RuleWords>(given: unknown, kind: RuleKind<Words>): Words {
  const words = parsed(kind.schema, typeof given === 'string' ? readRuleLine(given, kind) : given);
  const { match = {}, after = 0 } = words;
  checkMatch(match);
  if (match.nth !== undefined && after !== 0)
    throw new InputError(['after'], 'not beside nth, which counts all matching requests');
  return words;
}

/** Compiles rules for a world, or one. Throws an InputError; in a list, its path begins with the index of the rule. */
export function compileEach<R extends Rule>(
  given: unknown,
  world: WorldNames,
  compile: (given: unknown) => R,
): readonly R[] {
  const compileOne = (one: unknown): R => {
    const rule = compile(one);
    checkNames(rule.words.match ?? {}, world);
    return rule;
  };
  return Array.isArray(given) ? each(given, compileOne) : [compileOne(given)];
}

/** JSON Schema of what arms rules of a kind: a rule or a line, or a list of them. */
export function rulesJsonSchema({ schema, examples }: RuleKind<RuleWords>): object {
  const line = z.string().meta({ description: 'The same on one line', examples });
  const rule = z.union([schema, line]);
  const { $schema: _, ...described } = z.toJSONSchema(z.union([rule, z.array(rule)]), { io: 'input' });
  return described;
}

/** A rule in a file, as JSON or as a line, which `read` checks. */
export function ruleInFile<Words>(kind: RuleKind<RuleWords>, read: (given: unknown) => Words) {
  return z
    .unknown()
    .meta({ anyOf: [z.toJSONSchema(kind.schema, { io: 'input' }), { type: 'string' }] })
    .transform((input, { issues }): Words => {
      try {
        return read(input);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        issues.push({ code: 'custom', input, path: [...error.path], message: error.problem });
        return z.NEVER;
      }
    });
}
