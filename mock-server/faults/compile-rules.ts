import type { Endpoint } from '../protocol/request.ts';
import type { Step } from '../protocol/service-error.ts';
import type { World } from '../world/world.ts';
import { FAULT_MODEL_PREFIX, FAULTS, type FaultName } from './catalogue/fault-catalogue.ts';
import { type Phase, PHASES, READING_PHASES } from './catalogue/phases.ts';
import { compileFault } from './compile-fault.ts';
import { parseFault } from './parse-fault.ts';
import { type ParsedRule, ruleSchema } from './rule-schema.ts';
import { FaultPlanError, type Certified, type FaultWords, type Match, type Rule } from './rule.ts';

/** Compiles rules for a world. Throws a FaultPlanError with the place, whose first step is the rule's index. */
export function compileFaults(
  faults: readonly FaultWords[],
  world: World,
  certified?: Certified,
): readonly Rule[] {
  const rules = compilePlan(faults);
  refuseUnreachable(rules, world, certified);
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

/** The given phase, or the default phase of the fault, or the next phase that the match can reach. */
function compilePhase({ fault, phase: given }: ParsedRule, match: Match, path: readonly Step[]): Phase {
  const possible = possiblePhases(fault, match);
  if (possible.length === 0) {
    const known = FAULTS[fault].defaultPhase === 'handshake' ? 'nothing' : 'only the endpoint';
    throw new FaultPlanError([...path, 'match'], `${fault} triggers where ${known} of a request is known`);
  }
  if (given === undefined) return nextFrom(FAULTS[fault].defaultPhase, possible);
  if (possible.includes(given)) return given;
  throw new FaultPlanError(
    [...path, 'phase'],
    `impossible for ${fault} here; possible are ${possible.join(', ')}`,
  );
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

/** Throws a FaultPlanError for the first rule that could never trigger: its world has no such key, model or handshake. */
export function refuseUnreachable(rules: readonly Rule[], world: World, certified: Certified): void {
  refuseUnknownNames(rules, world);
  for (const [index, { fault, phase }] of rules.entries()) {
    if (phase !== 'handshake' || certified === 'own') continue;
    if (certified === undefined)
      throw new FaultPlanError(
        [index, 'phase'],
        'a handshake is possible only with --tls, in the own world of the mock: no sandbox is known before a request',
      );
    if (fault.fault === 'wrong_certificate')
      throw new FaultPlanError(
        [index, 'fault'],
        'impossible with a certificate of yours; --tls alone has others',
      );
  }
}

function refuseUnknownNames(rules: readonly Rule[], { keys, models }: World): void {
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

type Matching = Pick<ParsedRule, 'fault' | 'match'>;

/** A model or `stream` restricts a rule to completions. A fault of completions or of streams restricts it too. */
function compileMatch(rule: Matching, path: readonly Step[]): Match {
  const { fault, match } = rule;
  const { appliesTo } = FAULTS[fault];
  if (appliesTo === 'streams' && match.stream === false)
    throw new FaultPlanError([...path, 'match', 'stream'], `${fault} applies to streams only`);
  const { model, key } = match;
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
    ...(fault === 'slow_accept' ? firstOfConnection(rule, path) : position(rule, path)),
  };
}

/** Which of the matching requests: a count of all of them, or for each key or connection. */
function position({ match: { nth, every, per } }: Matching, path: readonly Step[]): Match {
  if (nth !== undefined && every !== undefined)
    throw new FaultPlanError([...path, 'match', 'every'], 'cannot be combined with nth');
  return {
    ...(nth !== undefined && { nth }),
    ...(every !== undefined && { every }),
    ...(per !== undefined && { per }),
  };
}

const FIRST = { nth: 1, per: 'connection' } as const;

function firstOfConnection({ fault, match }: Matching, path: readonly Step[]): Match {
  const { nth = FIRST.nth, per = FIRST.per, every } = match;
  if (nth === FIRST.nth && per === FIRST.per && every === undefined) return FIRST;
  throw new FaultPlanError([...path, 'match'], `${fault} is for the first request of each connection`);
}
