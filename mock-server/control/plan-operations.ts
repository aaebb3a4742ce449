import type { z } from 'zod';
import { jsonPointer } from '../protocol/service-error.ts';
import { RuleError } from '../rules/rule-error.ts';
import type { Service } from '../sandboxes/service.ts';
import { ControlError } from './control-answer.ts';
import { operation, type Operation } from './operation.ts';

interface Words {
  readonly name: string;
  readonly summary: string;
}

/** Rules that are armed in a world: its faults, or its chosen answers. */
interface Plan<Rule> {
  readonly path: string;
  readonly read: Words;
  readonly add: Words;
  readonly replace: Words;
  readonly clear: Words;
  readonly remove: Words;
  /** The message for an ID that no rule has. */
  readonly unknown: string;
  readonly rules: z.ZodType;
  readonly shown: z.ZodType;
  /** What the operations that arm rules answer. */
  readonly armed: z.ZodType;
  readonly of: (service: Service) => { clear(): void; disarm(id: string): boolean };
  /** Throws a ControlError with the place. */
  readonly compile: (words: unknown, place: string, service: Service) => readonly Rule[];
  readonly show: (service: Service) => unknown;
  readonly arm: (service: Service, rules: readonly Rule[]) => unknown;
}

/** Reads, arms, replaces and disarms the rules of a plan. */
export function planOperations<Rule>(plan: Plan<Rule>): readonly Operation[] {
  const { path } = plan;
  return [
    operation('GET', path, {
      ...plan.read,
      answer: plan.shown,
      run: ({ sandbox }) => plan.show(sandbox.service),
    }),
    ...armingOperations(plan),
    operation('DELETE', path, {
      ...plan.clear,
      run: ({ sandbox }) => plan.of(sandbox.service).clear(),
    }),
    operation('DELETE', `${path}/{rule}`, {
      ...plan.remove,
      run({ sandbox, named }) {
        if (!plan.of(sandbox.service).disarm(named))
          throw new ControlError(404, 'unknown_rule', plan.unknown);
      },
    }),
  ];
}

function armingOperations<Rule>(plan: Plan<Rule>): readonly Operation[] {
  const shared = { body: plan.rules, takesText: true, answer: plan.armed } as const;
  return [
    operation('POST', plan.path, {
      ...plan.add,
      ...shared,
      status: 201,
      run: ({ sandbox: { service }, body }) => plan.arm(service, plan.compile(body, '', service)),
    }),
    operation('PUT', plan.path, {
      ...plan.replace,
      ...shared,
      run({ sandbox: { service }, body }) {
        const rules = plan.compile(body, '', service);
        plan.of(service).clear();
        return plan.arm(service, rules);
      },
    }),
  ];
}

/** Compiles rules, or one: as JSON, or each on a line. Throws a ControlError with the place. */
export function compileRules<Rule>(
  words: unknown,
  { place, code }: { readonly place: string; readonly code: string },
  compile: (list: readonly unknown[]) => readonly Rule[],
): readonly Rule[] {
  const given: unknown = typeof words === 'string' ? linesOf(words) : words;
  try {
    return compile(Array.isArray(given) ? given : [given]);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const path = Array.isArray(given) ? error.path : error.path.slice(1);
    const at = `${place}${jsonPointer(path)}`;
    throw new ControlError(400, code, `${at || 'the body'}: ${error.problem}`, at);
  }
}

/** A text of one line is its line. */
function linesOf(text: string): string | readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 1 ? text.trim() : lines;
}
