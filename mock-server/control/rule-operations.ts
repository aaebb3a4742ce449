import { z } from 'zod';
import { ANSWER_KIND, type AnswerRule, compileAnswers } from '../answers/compile-answers.ts';
import type { Service } from '../chat/service.ts';
import { compileFaults, FAULT_KIND, type FaultRule } from '../faults/compile-faults.ts';
import { within } from '../input/input-error.ts';
import type { Step } from '../protocol/service-error.ts';
import { asLine } from '../rules/line.ts';
import { PHASES } from '../rules/phases.ts';
import { rulesJsonSchema } from '../rules/rule-kind.ts';
import type { ArmedRule, Rule, RulePlan } from '../rules/rule-plan.ts';
import { ControlError, refusing } from './guard.ts';
import { type Operation, operation } from './operation.ts';

/** Described once in the whole API document; compiling checks them. */
export const faultsSchema = z.unknown().meta({ $ref: '#/components/schemas/FaultPlan' });
export const answersSchema = z.unknown().meta({ $ref: '#/components/schemas/Answers' });

/** What arms rules: one, or a list of them, each as JSON or as a line. */
export const RULE_SCHEMAS = {
  FaultPlan: rulesJsonSchema(FAULT_KIND),
  Answers: rulesJsonSchema(ANSWER_KIND),
};

/** Rules that are armed in a world: its faults, or its chosen answers. */
interface PlanKind<R extends Rule> {
  readonly one: 'Fault' | 'Answer';
  readonly body: z.ZodType;
  readonly of: (service: Service) => RulePlan<R>;
  readonly compile: (given: unknown, service: Pick<Service, 'world'>) => readonly R[];
  /** What is shown of an armed rule beside what all have. */
  readonly shape: z.ZodRawShape;
  readonly show: (armed: ArmedRule<R>) => object;
  /** The member that lists the rules that were never used. */
  readonly unused: string;
}

export const FAULT_PLAN: PlanKind<FaultRule> = {
  one: 'Fault',
  body: faultsSchema,
  of: ({ faults }) => faults,
  compile: (given, { world }) => compileFaults(given, world),
  shape: { fault: z.string(), phase: z.enum(PHASES), fired: z.int().describe('How often it was used') },
  show: ({ rule, fired }) => ({ fault: rule.words.fault, phase: rule.phase, fired }),
  unused: 'unfired',
};

export const ANSWER_PLAN: PlanKind<AnswerRule> = {
  one: 'Answer',
  body: answersSchema,
  of: ({ answers }) => answers,
  compile: (given, { world }) => compileAnswers(given, world),
  shape: {
    answered: z.int().describe('How often it was used'),
    unchecked: z.boolean().describe('It may break the specification'),
  },
  show: ({ rule, fired }) => ({ answered: fired, unchecked: rule.words.unchecked === true }),
  unused: 'unused',
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

function show<R extends Rule>(kind: PlanKind<R>, armed: ArmedRule<R>): object {
  const { id, rule, seen, over } = armed;
  return { id, rule: rule.words, line: asLine({ ...rule.words }), seen, ...kind.show(armed), over };
}

function showPlan<R extends Rule>(kind: PlanKind<R>, service: Service): object {
  const plan = kind.of(service);
  const rules = plan.rules();
  return {
    rules: rules.map((rule) => show(kind, rule)),
    [kind.unused]: plan.unfired().map(({ id }) => id),
    spent: rules.filter(({ over }) => over).map(({ id }) => id),
  };
}

/** What is answered: the plan, and what a request armed. */
function schemasOf({ shape, unused }: Pick<PlanKind<Rule>, 'shape' | 'unused'>) {
  const rule = z.strictObject({
    id: z.string(),
    rule: z.record(z.string(), z.unknown()).describe('The whole rule, in a form that can be armed again'),
    line: z.string().describe('The same on one line'),
    seen: z.int().describe('Matching requests that reached it'),
    ...shape,
    over: z.boolean().describe('It cannot be used any more'),
  });
  const plan = z.strictObject({
    rules: z.array(rule).describe('Every rule, in the order in which they are matched'),
    [unused]: z.array(z.string()).describe('IDs of the rules that were never used'),
    spent: z.array(z.string()).describe('IDs of the rules that cannot be used any more'),
  });
  return { plan, armed: plan.extend({ armed: z.array(rule).describe('What this request armed') }) };
}

/** Arms rules: after the armed ones, or in their place. */
function arming<R extends Rule>(kind: PlanKind<R>, isReplacing: boolean, answer: z.ZodType): Operation {
  const { one, body, of } = kind;
  const word = one.toLowerCase();
  return operation(isReplacing ? 'PUT' : 'POST', `/${word}s`, {
    name: `${isReplacing ? 'replace' : 'arm'}${one}s`,
    summary: `Arms one rule or a list of rules, ${isReplacing ? 'in place of' : 'after'} the armed ones; as JSON, or each on a line as for --${word}`,
    body,
    takesText: true,
    status: isReplacing ? 200 : 201,
    answer,
    run({ sandbox: { service }, body: given }) {
      const rules = compileRules(kind, given, service);
      if (isReplacing) of(service).clear();
      const armed = of(service).arm(rules);
      return { armed: armed.map((rule) => show(kind, rule)), ...showPlan(kind, service) };
    },
  });
}

/** Reads, arms, replaces and disarms the rules of a plan. */
function planOperations<R extends Rule>(kind: PlanKind<R>): readonly Operation[] {
  const { one, of } = kind;
  const word = one.toLowerCase();
  const path = `/${word}s`;
  const { plan, armed } = schemasOf(kind);
  return [
    operation('GET', path, {
      name: `read${one}s`,
      summary: `Returns every armed ${word}, and how often it was used`,
      answer: plan,
      run: ({ sandbox: { service } }) => showPlan(kind, service),
    }),
    arming(kind, false, armed),
    arming(kind, true, armed),
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
