import type { Endpoint } from '../protocol/request.ts';
import type { Step } from '../protocol/service-error.ts';
import type { World } from '../world/world.ts';
import { FAULT_MODEL_PREFIX, FAULTS, type FaultName } from './fault-catalogue.ts';
import type { Fault, LostRequestOutcome } from './fault.ts';
import { parseFault } from './parse-fault.ts';
import { type Phase, PHASES, READING_PHASES, UNCERTAIN_PHASES } from './phases.ts';
import { type ParsedRule, ruleSchema } from './rule-schema.ts';
import { FaultPlanError } from './rule.ts';
import type { FaultWords, Match, Rule } from './rule.ts';

/** Compiles rules for a world. Throws a FaultPlanError with the place, whose first step is the rule's index. */
export function compileFaults(faults: readonly FaultWords[], world: World): readonly Rule[] {
  const rules = compilePlan(faults);
  refuseUnknownNames(rules, world);
  return rules;
}

/** Compiles a list of rules, each as JSON or as a line, in order. Throws a FaultPlanError for the first wrong place. */
export function compilePlan(json: unknown): readonly Rule[] {
  if (!Array.isArray(json)) throw new FaultPlanError([], 'expected a list of rules');
  return json.map((rule: unknown, index) => compileWords(rule, [index]));
}

function compileWords(words: unknown, path: readonly Step[]): Rule {
  return compileRule(typeof words === 'string' ? parseLine(words, path) : words, path);
}

function parseLine(line: string, path: readonly Step[]): object {
  try {
    return parseFault(line);
  } catch (error) {
    if (!(error instanceof FaultPlanError)) throw error;
    throw new FaultPlanError([...path, ...error.path], error.problem, { cause: error });
  }
}

/** Compiles one rule from JSON. Throws a FaultPlanError. */
export function compileRule(json: unknown, path: readonly Step[] = []): Rule {
  const parsed = parseRule(json, path);
  const { after, probability, times = Infinity, ttl = Infinity } = parsed;
  const match = compileMatch(parsed, path);
  const phase = compilePhase(parsed, match, path);
  if (match.nth !== undefined && after !== 0)
    throw new FaultPlanError([...path, 'after'], 'cannot be combined with nth, which also counts requests');
  return { fault: compileFault(parsed, phase, path), phase, match, times, after, ttl, probability };
}

/** An unknown field is reported before a wrong value. */
function parseRule(json: unknown, path: readonly Step[]): ParsedRule {
  const parsed = ruleSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const field = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const place = [...(issue?.path ?? []), ...field].map((step) => (typeof step === 'symbol' ? '' : step));
  throw new FaultPlanError([...path, ...place], issue?.message ?? 'is wrong');
}

/** A model or `stream` restricts a rule to completions. A fault of completions or of streams restricts it too. */
function compileMatch({ fault, match }: ParsedRule, path: readonly Step[]): Match {
  const { appliesTo } = FAULTS[fault];
  if (appliesTo === 'streams' && match.stream === false)
    throw new FaultPlanError([...path, 'match', 'stream'], `${fault} applies to streams only`);
  const { model, key, nth } = match;
  const isForChat = appliesTo !== 'any' || match.model !== undefined || match.stream !== undefined;
  const endpoint: Endpoint | undefined = isForChat ? 'chat' : match.endpoint;
  if (isForChat && match.endpoint !== undefined && match.endpoint !== 'chat')
    throw new FaultPlanError(
      [...path, 'match', 'endpoint'],
      `only chat is possible for this match of ${fault}`,
    );
  const stream = appliesTo === 'streams' ? true : match.stream;
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(model !== undefined && { model }),
    ...(stream !== undefined && { stream }),
    ...(key !== undefined && { key }),
    ...(nth !== undefined && { nth }),
  };
}

/** The given phase, or the default phase of the fault, or the next phase that the match can reach. */
function compilePhase({ fault, phase: given }: ParsedRule, match: Match, path: readonly Step[]): Phase {
  const possible = possiblePhases(fault, match);
  if (given === undefined) return nextFrom(FAULTS[fault].defaultPhase, possible);
  if (possible.includes(given)) return given;
  throw new FaultPlanError(
    [...path, 'phase'],
    `impossible for ${fault} here; possible are ${possible.join(', ')}`,
  );
}

/** Before authentication nothing but the endpoint is known. */
function possiblePhases(fault: FaultName, { endpoint, key, model, stream }: Match): readonly Phase[] {
  const reached = endpoint === undefined || endpoint === 'chat' ? PHASES : READING_PHASES;
  const needsMore = key !== undefined || model !== undefined || stream !== undefined;
  const phases: readonly Phase[] = FAULTS[fault].phases;
  return phases.filter(
    (phase) => reached.includes(phase) && !(needsMore && phase === 'before-authentication'),
  );
}

function nextFrom(phase: Phase, possible: readonly Phase[]): Phase {
  const later = PHASES.slice(PHASES.indexOf(phase)).find((one) => possible.includes(one));
  return later ?? possible[0] ?? phase;
}

function compileFault(rule: ParsedRule, phase: Phase, path: readonly Step[]): Fault {
  const { fault } = rule;
  switch (fault) {
    case 'gateway_failure':
      return { fault, status: rule.status, body: rule.body, outcome: outcomeOf(rule, phase, path) };
    case 'timeout':
      return compileTimeout(rule, phase, path);
    case 'connection_closed':
    case 'connection_reset':
      return { fault, outcome: outcomeOf(rule, phase, path) };
    case 'body_cut':
      return { fault, bytes: rule.bytes };
    case 'stream_cut':
      return { fault, events: rule.events };
    case 'stall':
      return { fault, bytes: rule.bytes, ms: rule.ms ?? null };
    case 'pieces':
      return { fault, bytes: rule.bytes, ms: rule.ms };
    case 'wrong_content_length':
      return { fault, difference: rule.difference };
    case 'unknown_model':
    case 'token_limit':
    case 'rate_limit':
    case 'model_unavailable':
    case 'service_unavailable':
    case 'insufficient_credits':
      return { fault };
  }
}

type TimeoutRule = Extract<ParsedRule, { fault: 'timeout' }>;

/** A request that is answered late is not lost. */
function compileTimeout(rule: TimeoutRule, phase: Phase, path: readonly Step[]): Fault {
  const { fault, ms } = rule;
  if (ms === undefined) return { fault, ms: null, outcome: outcomeOf(rule, phase, path) };
  if (rule.then === undefined) return { fault, ms };
  throw new FaultPlanError([...path, 'then'], 'not beside ms: a request that is answered late completes');
}

function outcomeOf(rule: Pick<TimeoutRule, 'then'>, phase: Phase, path: readonly Step[]): LostRequestOutcome {
  if (rule.then === undefined || UNCERTAIN_PHASES.includes(phase)) return rule.then ?? 'review';
  throw new FaultPlanError(
    [...path, 'then'],
    `nothing is uncertain at ${phase}; possible at ${UNCERTAIN_PHASES.join(', ')}`,
  );
}

/** Throws a FaultPlanError for the first rule whose key or model its world does not have: it could never trigger. */
export function refuseUnknownNames(rules: readonly Rule[], { keys, models }: World): void {
  const keyNames = keys.map(({ name }) => name);
  const modelIds = models.map(({ id }) => id);
  for (const [index, { match }] of rules.entries()) {
    refuseUnknown([index, 'match', 'key'], match.key, keyNames);
    if (match.model?.startsWith(FAULT_MODEL_PREFIX) !== true)
      refuseUnknown([index, 'match', 'model'], match.model, modelIds);
  }
}

function refuseUnknown(
  path: readonly [number, 'match', 'key' | 'model'],
  given: string | undefined,
  known: readonly string[],
): void {
  if (given === undefined || known.includes(given)) return;
  throw new FaultPlanError(path, `no ${path[2]} of this world; it has ${known.join(', ')}`);
}
