import { z } from 'zod';
import { ANSWER_KIND, type AnswerRule, compileAnswers } from '../answers/compile-answers.ts';
import type { Service } from '../chat/service.ts';
import { compileFaults, FAULT_KIND, type FaultRule } from '../faults/compile-faults.ts';
import { within } from '../input/input-error.ts';
import type { Step } from '../protocol/service-error.ts';
import { ruleJsonSchema, type RuleKind } from '../rules/rule-kind.ts';
import { type Rule, type RulePlan, shownRule } from '../rules/rule-plan.ts';
import { ControlError, refusing } from './guard.ts';
import { type Operation, operation } from './operation.ts';

/** What arms rules: one, or a list of them, each as JSON or as a line. */
function rulesJsonSchema(kind: RuleKind<object>): object {
  const rule = ruleJsonSchema(kind);
  return { anyOf: [...rule.anyOf, { type: 'array', items: rule }] };
}

export const RULE_SCHEMAS = { FaultPlan: rulesJsonSchema(FAULT_KIND), Answers: rulesJsonSchema(ANSWER_KIND) };

/** Rules that are armed in a world: its faults, or its chosen answers. */
interface PlanKind<R extends Rule> {
  readonly one: 'Fault' | 'Answer';
  /** Described once in the whole API document; compiling checks it. */
  readonly body: z.ZodType;
  readonly of: (service: Service) => RulePlan<R>;
  readonly compile: (given: unknown, service: Pick<Service, 'world'>) => readonly R[];
}

export const FAULT_PLAN: PlanKind<FaultRule> = {
  one: 'Fault',
  body: z.unknown().meta({ $ref: '#/components/schemas/FaultPlan' }),
  of: ({ faults }) => faults,
  compile: (given, { world }) => compileFaults(given, world),
};

export const ANSWER_PLAN: PlanKind<AnswerRule> = {
  one: 'Answer',
  body: z.unknown().meta({ $ref: '#/components/schemas/Answers' }),
  of: ({ answers }) => answers,
  compile: (given, { world }) => compileAnswers(given, world),
};

/** Compiles rules, or one: as JSON, or each on a line. Throws a ControlError with the place. */
export function compileRules<R extends Rule>(
  { one, compile }: PlanKind<R>,
  given: unknown,
  service: Pick<Service, 'world'>,
  place: readonly Step[] = [],
): readonly R[] {
  const rules = typeof given === 'string' ? linesOf(given) : given;
  const code = `invalid_${one.toLowerCase()}`;
  return refusing(() => within(place, () => compile(rules, service)), { code });
}

/** A text of one line is its line. */
function linesOf(text: string): string | readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 1 ? text.trim() : lines;
}

/** Every rule, in the order in which they are matched. */
function showPlan(plan: RulePlan<Rule>) {
  return { rules: plan.rules().map(shownRule) };
}

/** Arms rules: after the armed ones, or in their place. */
function arming<R extends Rule>(kind: PlanKind<R>, isReplacing: boolean): Operation {
  const { one, body, of } = kind;
  const word = one.toLowerCase();
  return operation(isReplacing ? 'PUT' : 'POST', `/${word}s`, {
    name: `${isReplacing ? 'replace' : 'arm'}${one}s`,
    summary: `Arms one rule or a list of rules, ${isReplacing ? 'in place of' : 'after'} the armed ones; as JSON, or each on a line as for --${word}`,
    body,
    takesText: true,
    status: isReplacing ? 200 : 201,
    run({ sandbox: { service }, body: given }) {
      const rules = compileRules(kind, given, service);
      const plan = of(service);
      if (isReplacing) plan.clear();
      return { armed: plan.arm(rules).map(shownRule), ...showPlan(plan) };
    },
  });
}

function planOperations<R extends Rule>(kind: PlanKind<R>): readonly Operation[] {
  const { one, of } = kind;
  const path = `/${one.toLowerCase()}s`;
  return [
    operation('GET', path, {
      name: `read${one}s`,
      summary:
        'Returns every armed rule: how many requests it matched, how often it was used, and whether it is over',
      run: ({ sandbox: { service } }) => showPlan(of(service)),
    }),
    arming(kind, false),
    arming(kind, true),
    operation('DELETE', path, {
      name: `clear${one}s`,
      summary: 'Disarms every rule',
      run: ({ sandbox: { service } }) => of(service).clear(),
    }),
    operation('DELETE', `${path}/{rule}`, {
      name: `disarm${one}`,
      summary: 'Disarms one rule',
      run({ sandbox: { service }, named }) {
        if (of(service).disarm(named)) return;
        throw new ControlError(404, 'unknown_rule', 'No armed rule has this ID');
      },
    }),
  ];
}

/** Reads, arms, replaces and disarms faults and chosen answers. */
export const RULE_OPERATIONS = [...planOperations(FAULT_PLAN), ...planOperations(ANSWER_PLAN)];
