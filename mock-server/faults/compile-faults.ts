import { z } from 'zod';
import { InputError, suggestion } from '../input/input-error.ts';
import { type Endpoint, FAULT_HEADER, FAULT_MODEL_PREFIX } from '../protocol/answer.ts';
import { ServiceError } from '../protocol/service-error.ts';
import {
  checkMatch,
  compileMatch,
  isForChats,
  knownFrom,
  type Match,
  RULE,
  type WorldNames,
} from '../rules/match.ts';
import { type Phase, PHASES, READING_PHASES, UNCERTAIN_PHASES } from '../rules/phases.ts';
import { compileEach, readRule, type RuleKind } from '../rules/read-rule.ts';
import { asLine, readRuleLine } from '../rules/rule-line.ts';
import type { Rule } from '../rules/rule-plan.ts';
import { type FaultName, FAULTS } from './fault-catalogue.ts';
import type { Effect, Occasion, Outcome } from './fault.ts';

interface Happening<Name extends FaultName> {
  readonly fault: Name;
  /** Absent: that of the fault, or the next one that the matched requests reach. */
  readonly phase?: Phase;
}

type RuleOf<Name extends FaultName> = (typeof FAULTS)[Name]['rule'];

/** A rule as JSON has it: `{ fault: 'timeout', ms: 50, times: 1 }`. */
type FaultObject = { [N in FaultName]: Happening<N> & Readonly<z.input<RuleOf<N>>> }[FaultName];

/** The same, with the defaults of its parameters. */
type ReadFault = { [N in FaultName]: Happening<N> & Readonly<z.output<RuleOf<N>>> }[FaultName];

/** A rule as a line, `gateway_failure phase=after-debit times=1`, or as an object. */
export type FaultWords = FaultName | (string & {}) | FaultObject;

/** Whose certificate a mock shows; undefined: it speaks no TLS, or the rules are those of a sandbox, which has no handshakes. */
export type Certified = 'own' | 'given' | undefined;

/** One rule of a fault plan. */
export interface FaultRule extends Rule {
  readonly words: ReadFault;
  readonly phase: Phase;
  readonly effect: (occasion: Occasion) => Effect;
  /** How the request ends if its answer is lost while its reservation is held. */
  readonly outcome: Outcome;
}

/** Compiles rules for a world, or one. Throws an InputError; in a list, its path begins with the index of the rule. */
export function compileFaults(
  given: unknown,
  world: WorldNames,
  certified?: Certified,
): readonly FaultRule[] {
  return compileEach(given, world, (one) => {
    const rule = compileFault(one);
    refuseHandshake(rule, certified);
    return rule;
  });
}

/** Throws an InputError for a rule that no handshake could meet. */
function refuseHandshake({ phase, words }: FaultRule, certified: Certified): void {
  if (phase !== 'handshake' || certified === 'own') return;
  if (certified === undefined)
    throw new InputError(
      ['phase'],
      'a handshake is possible only with --tls, in the own world of the mock: no sandbox is known before a request',
    );
  if (words.fault === 'wrong_certificate')
    throw new InputError(['fault'], 'impossible with a certificate of yours; --tls alone has others');
}

/** Compiles one rule, as JSON or as a line. Throws an InputError. */
export function compileFault(given: unknown): FaultRule {
  const words = readRule(given, FAULT_KIND);
  const { fault, then = 'review' }: { readonly fault: FaultName; readonly then?: Outcome } = words;
  const match = wholeMatch(words);
  const phase = phaseOf(words, match);
  refuseThen(words, phase);
  return {
    words: { ...words, phase, match },
    phase,
    meets: compileMatch(match),
    effect: FAULTS[fault].bind(words),
    outcome: then,
  };
}

/** With what the fault itself is only for. A match of what a chat says is only for chats. */
function wholeMatch({ fault, match = {} }: ReadFault): Match {
  const { only = {} }: { readonly only?: Match } = FAULTS[fault];
  const whole: Match = { ...(isForChats(match) && { endpoint: 'chat' }), ...match, ...only };
  const kept = new Map(Object.entries({ ...whole, ...match }));
  for (const [name, value] of Object.entries(only))
    if (kept.get(name) !== value)
      throw new InputError(['match', name], `${fault} is only for ${asLine(only)}`);
  checkMatch(whole);
  return whole;
}

const isFrom = (earliest: Phase) => (phase: Phase) => PHASES.indexOf(phase) >= PHASES.indexOf(earliest);

/** The given phase, or the default phase of the fault, or the next phase that the match can reach. */
function phaseOf({ fault, phase: given }: ReadFault, match: Match): Phase {
  const { phases, defaultPhase }: { phases: readonly Phase[]; defaultPhase: Phase } = FAULTS[fault];
  const reached = (match.endpoint ?? 'chat') === 'chat' ? PHASES : READING_PHASES;
  const possible = phases.filter((phase) => reached.includes(phase)).filter(isFrom(knownFrom(match)));
  const phase = given ?? possible.find(isFrom(defaultPhase)) ?? possible[0];
  if (phase === undefined)
    throw new InputError(['match'], `${fault} happens before all of this is known of a request`);
  if (possible.includes(phase)) return phase;
  throw new InputError(['phase'], `impossible for ${fault} here; possible are ${possible.join(', ')}`);
}

interface Ending {
  readonly fault: FaultName;
  readonly then?: Outcome;
  readonly ms?: unknown;
}

function refuseThen({ then, ms }: Ending, phase: Phase): void {
  if (then === undefined) return;
  if (ms !== undefined)
    throw new InputError(['then'], 'not beside ms: a request that is answered late completes');
  const problem = `nothing is uncertain at ${phase}; possible at ${UNCERTAIN_PHASES.join(', ')}`;
  if (!UNCERTAIN_PHASES.includes(phase)) throw new InputError(['then'], problem);
}

function isFaultName(name: string | undefined): name is FaultName {
  return name !== undefined && Object.hasOwn(FAULTS, name);
}

/** The fields of the rules of a fault. */
function fieldsOf(name: FaultName) {
  const { phases, defaultPhase, rule } = FAULTS[name];
  const error = ({ input }: { readonly input?: unknown }): string =>
    PHASES.some((phase) => phase === input)
      ? `impossible for ${name} here; possible are ${phases.join(', ')}`
      : `no such phase${suggestion(input, phases)}; possible for ${name} are ${phases.join(', ')}`;
  const phase = z.literal(phases, { error }).describe('Where in the request').meta({ default: defaultPhase });
  return { fault: z.literal(name), phase: phase.exactOptional(), ...rule.shape };
}

const NAMES = Object.keys(FAULTS).filter(isFaultName);

function schemaOf(name: FaultName) {
  const example = { fault: name, ...z.object(FAULTS[name].parameters).parse({}), times: 1 };
  return z.strictObject(fieldsOf(name)).meta({
    title: name,
    description: FAULTS[name].meaning,
    examples: [example],
  });
}

const [first = 'latency', ...others] = NAMES;

/** Rules of faults. */
export const FAULT_KIND: RuleKind<ReadFault> = {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema that is made of the catalogue forgets what it makes
  schema: z.discriminatedUnion('fault', [schemaOf(first), ...others.map(schemaOf)], {
    error: nameError,
  }) as unknown as z.ZodType<ReadFault>,
  needed: 'a fault and then NAME=VALUE are needed',
  examples: ['rate_limit times=2', 'gateway_failure phase=after-debit body=html nth=1 per=idempotency_key'],
  word: 'fault',
  fieldsOf: (name) => (isFaultName(name) ? fieldsOf(name) : RULE),
};

function nameError({ code, input }: { readonly code: string; readonly input?: unknown }): string {
  if (code === 'invalid_type') return 'expected a rule, as an object or a line';
  const { fault }: { fault?: unknown } = Object(input);
  const names = NAMES.join(', ');
  return fault === undefined
    ? `expected a fault: ${names}`
    : `no such fault${suggestion(fault, NAMES)}; the faults are ${names}`;
}

/** The rule in a request's header. Throws `invalid_fault`. */
export function faultOfHeader(line: string, endpoint: Endpoint): FaultRule {
  return compileRequested(line, { endpoint }, FAULT_HEADER);
}

/** The rule in a model ID; null: the ID is not a reserved one. Throws `invalid_fault`. */
export function faultOfModel(model: string): FaultRule | null {
  if (!model.startsWith(FAULT_MODEL_PREFIX)) return null;
  // A match of a model excludes the phases before the model is known.
  return compileRequested(model.slice(FAULT_MODEL_PREFIX.length), { model }, 'model');
}

function compileRequested(line: string, match: Match, place: string): FaultRule {
  try {
    const fields = readRuleLine(line, FAULT_KIND);
    // The fault is for this one request, and once.
    const foreign = Object.keys(fields).find((name) => Object.hasOwn(RULE, name));
    if (foreign === undefined) return compileFault({ ...fields, match });
    throw new InputError([foreign], 'only for a rule of a plan, not for one request');
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new ServiceError('invalid_fault', { path: [place, ...error.path], detail: error.problem });
  }
}
