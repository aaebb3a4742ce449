import { z } from 'zod';
import { explained, InputError, suggestion } from '../input/input-error.ts';
import { type Endpoint, FAULT_HEADER } from '../protocol/answer.ts';
import { ServiceError } from '../protocol/service-error.ts';
import { asLine } from '../rules/line.ts';
import {
  checkMatch,
  compileMatch,
  isForChats,
  knownFrom,
  type Match,
  RULE,
  type WorldNames,
} from '../rules/match.ts';
import { type Phase, PHASES } from '../rules/phases.ts';
import { compileEach, readRule, readRuleLine, type RuleKind } from '../rules/rule-kind.ts';
import type { Rule } from '../rules/rule-plan.ts';
import { namesOf } from '../rules/words.ts';
import { type FaultName, FAULTS } from './fault-catalogue.ts';
import type { Effect, Occasion, Outcome } from './fault.ts';

/** Rules as JSON has them, or with the defaults of their parameters. Without a phase: that of the fault, or the next one that the matched requests reach. */
type RulesAs<Side extends 'input' | 'output'> = {
  [Name in FaultName]: Readonly<(typeof FAULTS)[Name]['rule']['_zod'][Side]> & { readonly fault: Name };
}[FaultName];

type ReadFault = RulesAs<'output'>;

/** A rule as a line, `gateway_failure phase=after-debit times=1`, or as an object, `{ fault: 'timeout', ms: 50 }`. */
export type FaultWords = FaultName | (string & {}) | RulesAs<'input'>;

export interface FaultRule extends Rule {
  readonly words: ReadFault;
  readonly phase: Phase;
  readonly effect: (occasion: Occasion) => Effect;
  /** How the request ends if its answer is lost while its reservation is held. */
  readonly outcome: Outcome;
}

/** Compiles rules for a world, or one. Throws an InputError; in a list, its path begins with the index of the rule. */
export function compileFaults(given: unknown, world: WorldNames): readonly FaultRule[] {
  return compileEach(given, world, compileFault);
}

/** Compiles one rule, as JSON or as a line. Throws an InputError. */
export function compileFault(given: unknown): FaultRule {
  const words = readRule(given, FAULT_KIND);
  const match = wholeMatch(words);
  const phase = phaseOf(words, match);
  const { fault, then = 'review' }: { readonly fault: FaultName; readonly then?: Outcome } = words;
  if ('then' in words) refuseThen(words, phase);
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the phase is one of its fault, which no type can say
    words: { ...words, phase, match } as ReadFault,
    phase,
    meets: compileMatch(match),
    effect: FAULTS[fault].bind(words),
    outcome: then,
  };
}

/** With what the fault itself is only for. A match of what a chat says is only for chats. */
function wholeMatch({ fault, match = {} }: ReadFault): Match {
  const { only } = FAULTS[fault];
  const whole: Match = { ...(isForChats(match) && { endpoint: 'chat' }), ...only, ...match };
  for (const [name, value] of Object.entries(only))
    if (Object.entries(whole).every(([its, given]) => its !== name || given !== value))
      throw new InputError(['match', name], `${fault} is only for ${asLine(only)}`);
  checkMatch(whole);
  return whole;
}

/** The phases of a request to the GET endpoints, which costs nothing. */
const READING_PHASES: readonly Phase[] = [
  'before-authentication',
  'after-validation',
  'before-headers',
  'inside-body',
];

/** The phases between reservation and debit, at which the outcome of a completion can be uncertain. */
const UNCERTAIN_PHASES: readonly Phase[] = ['after-reservation', 'during-generation'];

const isFrom = (earliest: Phase) => (phase: Phase) => PHASES.indexOf(phase) >= PHASES.indexOf(earliest);

/** The given phase, or the default phase of the fault, or the next phase that the match can reach. */
function phaseOf({ fault, phase: given }: ReadFault, match: Match): Phase {
  const { phases, defaultPhase }: { readonly phases: readonly Phase[]; readonly defaultPhase: Phase } =
    FAULTS[fault];
  const reached = (match.endpoint ?? 'chat') === 'chat' ? PHASES : READING_PHASES;
  const possible = phases.filter((phase) => reached.includes(phase)).filter(isFrom(knownFrom(match)));
  const phase = given ?? possible.find(isFrom(defaultPhase)) ?? possible[0];
  if (phase === undefined)
    throw new InputError(['match'], `${fault} happens before the mock knows all of this about a request`);
  if (possible.includes(phase)) return phase;
  throw new InputError(['phase'], `not allowed for ${fault} here; allowed: ${possible.join(', ')}`);
}

/** Throws an InputError where a request that loses its answer has no uncertain end. */
function refuseThen(words: ReadFault, phase: Phase): void {
  if ('ms' in words)
    throw new InputError(['then'], 'cannot be combined with ms: a request that is answered late completes');
  const problem = `not allowed at ${phase}; allowed only at ${UNCERTAIN_PHASES.join(', ')}`;
  if (!UNCERTAIN_PHASES.includes(phase)) throw new InputError(['then'], problem);
}

const NAMES = namesOf(FAULTS);

const SCHEMAS = new Map<string, z.ZodObject>(
  NAMES.map((name) => {
    const { meaning, parameters, rule } = FAULTS[name];
    const example = { fault: name, ...z.object(parameters).parse({}), times: 1 };
    const described = { title: name, description: meaning, examples: [example] };
    return [name, z.strictObject({ fault: z.literal(name), ...rule.shape }).meta(described)];
  }),
);

export const FAULT_KIND: RuleKind<ReadFault> = {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema that is made of the catalogue forgets what it makes
  schema: z.discriminatedUnion('fault', [...SCHEMAS.values()] as unknown as [z.ZodObject], {
    error: ({ code, input }: { readonly code: string; readonly input?: unknown }) =>
      code === 'invalid_type'
        ? 'expected a rule, as an object or a line'
        : `no such fault${suggestion(Object(input).fault, NAMES)}; the faults are ${NAMES.join(', ')}`,
  }) as unknown as z.ZodType<ReadFault>,
  examples: ['rate_limit times=2', 'gateway_failure phase=after-debit body=html nth=1 per=idempotency_key'],
  word: 'fault',
  fieldsOf: (name = '') => SCHEMAS.get(name)?.shape ?? RULE,
};

/** The rule in the header of one request, which it is for, once. Throws `invalid_fault`. */
export function faultOfHeader(line: string, endpoint: Endpoint): FaultRule {
  const compile = (): FaultRule => {
    const fields = readRuleLine(line, FAULT_KIND);
    const foreign = Object.keys(fields).find((name) => Object.hasOwn(RULE, name));
    if (foreign === undefined) return compileFault({ ...fields, match: { endpoint } });
    throw new InputError([foreign], 'only for a rule of a plan, not for one request');
  };
  return explained(
    compile,
    ({ path, problem: detail }) =>
      new ServiceError('invalid_fault', { path: [FAULT_HEADER, ...path], detail }),
  );
}
