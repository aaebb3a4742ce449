import type { Endpoint } from '../protocol/request.ts';
import { readRule } from '../rules/read-rule.ts';
import { eachRule, RuleError, unknownNames } from '../rules/rule-error.ts';
import { readRuleLine } from '../rules/rule-line.ts';
import type { World } from '../world/world.ts';
import { FAULT_MODEL_PREFIX, FAULTS, type FaultName } from './catalogue/fault-catalogue.ts';
import { type Phase, PHASES, READING_PHASES, UNCERTAIN_PHASES } from './catalogue/phases.ts';
import type { Fault, LostRequestOutcome } from './fault.ts';
import { type ParsedRule, ruleSchema } from './rule-schema.ts';
import type { Certified, FaultWords, Match, Rule } from './rule.ts';

/** Compiles rules for a world. Throws a RuleError with the place, whose first step is the rule's index. */
export function compileFaults(
  faults: readonly FaultWords[],
  world: World,
  certified?: Certified,
): readonly Rule[] {
  const rules = compilePlan(faults);
  refuseUnreachable(rules, world, certified);
  return rules;
}

/** Compiles a list of rules, each as JSON or as a line, in order. Throws a RuleError for the first wrong place. */
export function compilePlan(json: unknown): readonly Rule[] {
  if (!Array.isArray(json)) throw new RuleError([], 'expected a list of rules');
  return eachRule(json, compileRule);
}

/** Compiles one rule, as JSON or as a line. Throws a RuleError. */
export function compileRule(words: unknown): Rule {
  const parsed = readRule(words, ruleSchema, parseFault);
  const { after, probability, times = Infinity, ttl = Infinity } = parsed;
  const match = compileMatch(parsed);
  const phase = compilePhase(parsed, match);
  if (match.nth !== undefined && after !== 0)
    throw new RuleError(['after'], 'cannot be combined with nth, which also counts requests');
  return { fault: compileFault(parsed, phase), phase, match, times, after, ttl, probability };
}

/** The given phase, or the default phase of the fault, or the next phase that the match can reach. */
function compilePhase({ fault, phase: given }: ParsedRule, match: Match): Phase {
  const possible = possiblePhases(fault, match);
  if (possible.length === 0) {
    const known = FAULTS[fault].defaultPhase === 'handshake' ? 'nothing' : 'only the endpoint';
    throw new RuleError(['match'], `${fault} triggers where ${known} of a request is known`);
  }
  if (given === undefined) return nextFrom(FAULTS[fault].defaultPhase, possible);
  if (possible.includes(given)) return given;
  throw new RuleError(['phase'], `impossible for ${fault} here; possible are ${possible.join(', ')}`);
}

/** Of a handshake nothing is known, and before authentication only the endpoint. */
function possiblePhases(fault: FaultName, { endpoint, key, model, stream, per }: Match): readonly Phase[] {
  const reached = endpoint === undefined || endpoint === 'chat' ? PHASES : READING_PHASES;
  const needsMore = key !== undefined || model !== undefined || stream !== undefined || per === 'key';
  const needsRequest = needsMore || endpoint !== undefined || per !== undefined;
  const phases: readonly Phase[] = FAULTS[fault].phases;
  return phases.filter(
    (phase) =>
      reached.includes(phase) &&
      !(needsMore && phase === 'before-authentication') &&
      !(needsRequest && phase === 'handshake'),
  );
}

function nextFrom(phase: Phase, possible: readonly Phase[]): Phase {
  const later = PHASES.slice(PHASES.indexOf(phase)).find((one) => possible.includes(one));
  return later ?? possible[0] ?? phase;
}

/** Throws a RuleError for the first rule that could never trigger: its world has no such key, model or handshake. */
export function refuseUnreachable(rules: readonly Rule[], world: World, certified: Certified): void {
  const named = rules.map(({ match: { model = FAULT_MODEL_PREFIX, ...match } }) => ({
    match: model.startsWith(FAULT_MODEL_PREFIX) ? match : { ...match, model },
  }));
  const [unknown] = unknownNames(named, world, ['key', 'model']);
  if (unknown !== undefined) throw unknown;
  for (const [index, { fault, phase }] of rules.entries()) {
    if (phase !== 'handshake' || certified === 'own') continue;
    if (certified === undefined)
      throw new RuleError(
        [index, 'phase'],
        'a handshake is possible only with --tls, in the own world of the mock: no sandbox is known before a request',
      );
    if (fault.fault === 'wrong_certificate')
      throw new RuleError([index, 'fault'], 'impossible with a certificate of yours; --tls alone has others');
  }
}

type Matching = Pick<ParsedRule, 'fault' | 'match'>;

/** A model or `stream` restricts a rule to completions. A fault of completions or of streams restricts it too. */
function compileMatch(rule: Matching): Match {
  const { fault, match } = rule;
  const { appliesTo } = FAULTS[fault];
  if (appliesTo === 'streams' && match.stream === false)
    throw new RuleError(['match', 'stream'], `${fault} applies to streams only`);
  const { model, key } = match;
  const isForChat = appliesTo !== 'any' || match.model !== undefined || match.stream !== undefined;
  const endpoint: Endpoint | undefined = isForChat ? 'chat' : match.endpoint;
  if (isForChat && match.endpoint !== undefined && match.endpoint !== 'chat')
    throw new RuleError(['match', 'endpoint'], `only chat is possible for this match of ${fault}`);
  const stream = appliesTo === 'streams' ? true : match.stream;
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(model !== undefined && { model }),
    ...(stream !== undefined && { stream }),
    ...(key !== undefined && { key }),
    ...(fault === 'slow_accept' ? firstOfConnection(rule) : position(rule)),
  };
}

/** Which of the matching requests: a count of all of them, or for each key or connection. */
function position({ match: { nth, every, per } }: Matching): Match {
  if (nth !== undefined && every !== undefined)
    throw new RuleError(['match', 'every'], 'cannot be combined with nth');
  return {
    ...(nth !== undefined && { nth }),
    ...(every !== undefined && { every }),
    ...(per !== undefined && { per }),
  };
}

const FIRST = { nth: 1, per: 'connection' } as const;

function firstOfConnection({ fault, match }: Matching): Match {
  const { nth = FIRST.nth, per = FIRST.per, every } = match;
  if (nth === FIRST.nth && per === FIRST.per && every === undefined) return FIRST;
  throw new RuleError(['match'], `${fault} is for the first request of each connection`);
}

/** The fault of a rule. Throws a RuleError for parameters that do not go together. */
function compileFault(rule: ParsedRule, phase: Phase): Fault {
  const { fault, ms, then } = rule;
  const names = Object.keys(FAULTS[fault].parameters).filter((name) => name !== 'then');
  const values = Object.fromEntries(names.map((name) => [name, rule[name] ?? null]));
  const isLate = fault === 'timeout' && ms !== undefined;
  if (isLate && then !== undefined)
    throw new RuleError(['then'], 'not beside ms: a request that is answered late completes');
  const isLost = 'then' in FAULTS[fault].parameters && !isLate;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of the same parameters made the values
  return { fault, ...values, ...(isLost && { outcome: outcomeOf(then, phase) }) } as Fault;
}

function outcomeOf(then: LostRequestOutcome | undefined, phase: Phase): LostRequestOutcome {
  if (then === undefined || UNCERTAIN_PHASES.includes(phase)) return then ?? 'review';
  throw new RuleError(
    ['then'],
    `nothing is uncertain at ${phase}; possible at ${UNCERTAIN_PHASES.join(', ')}`,
  );
}

const MATCHES = new Set(['endpoint', 'model', 'stream', 'key', 'nth', 'every', 'per']);

/**
 * A rule as one line: `gateway_failure phase=after-debit body=html times=1`, what it is for beside the rest
 * (`model="a b"`). Throws a RuleError for what is no such line.
 */
export function parseFault(line: string): Readonly<Record<string, unknown>> {
  const { match, ...rule } = readRuleLine(line, {
    needed: 'a fault and then NAME=VALUE are needed',
    isText: (name) => name === 'model' || name === 'key',
    placeOf: (name) => (MATCHES.has(name) ? ['match', name] : [name]),
    word: 'fault',
  });
  return match === undefined ? rule : { ...rule, match };
}
