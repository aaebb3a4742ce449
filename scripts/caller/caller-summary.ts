import { CALLER_CHECKS } from '../../suites/caller-catalogue.ts';
import { type CallerCheck, judgeCaller, NOTHING_SENT } from '../../suites/caller/judge-caller.ts';
import {
  type Chat,
  chatsAtService,
  chatsOf,
  endpointAsked,
  pathOf,
} from '../../suites/caller/observed/chats.ts';
import { shownRequest, wholeTimeline } from '../../suites/caller/observed/evidence.ts';
import { surplusIn } from '../../suites/caller/observed/hidden-work.ts';
import type { CallerEnd, Timeline, TimelineRequest } from '../../suites/caller/observed/timeline.ts';
import type {
  CheckResult,
  ScenarioResult,
  Spent,
  Summary,
  RunOutcome,
} from '../../suites/kit/model/summary.ts';
import { isJsonObject, parseJson } from '../../suites/kit/reading/json.ts';
import { clauseResults } from '../../suites/kit/summary/clause-results.ts';
import { callerEnding, endProblem } from './caller-end.ts';
import { scenariosOf } from './scenarios.ts';

/** What is known of a caller's trial beside its timelines. */
export interface CallerRun {
  /** What reports call it. */
  readonly name: string;
  readonly seed: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outputTokens: number;
  /** Why the trial is incomplete. */
  readonly problems: readonly string[];
}

function scenariosFor({ clauses }: CallerCheck): readonly string[] {
  return ['watched', ...clauses.flatMap(scenariosOf)];
}

function spentIn(timelines: readonly Timeline[], outputTokens: number): Spent {
  const requests = timelines.flatMap((timeline) => timeline.requests);
  const chats = timelines.flatMap(chatsOf);
  const uncertain = chats.filter(({ outcome }) => outcome.kind === 'uncertain');
  return { requests: requests.length, completions: chats.length, outputTokens, uncertain: uncertain.length };
}

function outcomeOf(checks: readonly CheckResult[], cutShort: readonly string[]): RunOutcome {
  const some = (verdict: string): boolean => checks.some((check) => check.verdict === verdict);
  if (some('fail')) return 'violations';
  return cutShort.length > 0 || some('error') || !some('pass') ? 'incomplete' : 'conformant';
}

/** A caller that is asked only for an image may be right to send no completion. */
function missingRequests(timeline: Timeline): readonly string[] {
  const { requests, items } = timeline;
  if (!requests.some(({ place }) => place === 'service')) return [NOTHING_SENT];
  const wantsText = items.length === 0 || items.some(({ image }) => !image);
  return wantsText && chatsAtService(timeline).length === 0 ? ['it sent no chat completion'] : [];
}

/** Whether it came to nothing by itself, and not by a fault of the scenario. */
function isOwnFailure({ outcome, fault }: TimelineRequest): boolean {
  return fault === undefined && (outcome.kind === 'refused' || outcome.kind === 'uncertain');
}

/** Why nothing was served although nothing stood in the way, as in another language: then little of a caller shows. */
function neverServed(timelines: readonly Timeline[]): readonly string[] {
  const chats = timelines.flatMap(chatsAtService);
  const failed = chats.filter(isOwnFailure);
  if (failed.length === 0 || chats.some(({ outcome }) => outcome.kind === 'served')) return [];
  const refused = failed.filter(({ outcome }) => outcome.kind === 'refused');
  const [first] = refused;
  const of = `of ${chats.length}`;
  if (first === undefined)
    return [`no completion was served: it left ${failed.length} ${of} before an answer`];
  const { outcome } = first;
  const hint = outcome.kind === 'refused' && outcome.why === 'unknown-model' ? foreignModel(first) : '';
  return [`no completion was served: ${refused.length} ${of} refused${refusalText(first)}${hint}`];
}

/** A caller whose model no list names has it from elsewhere. */
function foreignModel(chat: Chat): string {
  const model = JSON.stringify(chat.fields?.['model'] ?? null);
  return `: it asked for the model ${model}, which the service does not list; let it take its model from CHAT_MODEL, or from the variable that --env-model names`;
}

/** The error object of a refusal, in one line. */
function refusalText({ status, answer }: TimelineRequest): string {
  const reading = parseJson(Buffer.from(answer));
  const root = reading.kind === 'json' && isJsonObject(reading.value) ? reading.value : {};
  const { code, message } = isJsonObject(root['error']) ? root['error'] : root;
  const words = [status, code, message].filter(
    (word) => typeof word === 'string' || typeof word === 'number',
  );
  return `, as ${words.join(' ')}`;
}

/** Paths that the specification does not have, such as those of another interface. */
function foreignPaths(timelines: readonly Timeline[]): readonly string[] {
  const foreign = timelines.flatMap(({ requests }) =>
    requests.filter((one) => one.place === 'service' && endpointAsked(one) === undefined && isCall(one)),
  );
  const byPath = Map.groupBy(foreign, (request) => `${request.method} ${pathOf(request)}`);
  return [...byPath].map(([name, same]) => {
    const times = same.length === 1 ? 'once' : `${same.length} times`;
    return `it sent ${name} ${times}, which the specification does not have`;
  });
}

/** What a browser asks for by itself is not the caller's doing. */
function isCall(request: TimelineRequest): boolean {
  return request.method !== 'OPTIONS' && pathOf(request) !== '/favicon.ico';
}

/** One line for each problem, with the scenarios that it occurred in. */
function problemLines(
  timelines: readonly Timeline[],
  problemsIn: (timeline: Timeline) => readonly string[],
): readonly string[] {
  const found = timelines.flatMap((timeline) =>
    problemsIn(timeline).map((problem) => ({ problem, scenario: timeline.scenario })),
  );
  const byProblem = Map.groupBy(found, ({ problem }) => problem);
  return [...byProblem].map(([problem, same]) => {
    const names = same.map(({ scenario }) => scenario).join(', ');
    const isEvery = same.length === timelines.length && same.length > 1;
    if (names === 'watched') return problem;
    return `${isEvery ? 'every scenario' : names}: ${problem}`;
  });
}

const LONGEST_OUTPUT = 20_000;

function outputOf(end: CallerEnd): string {
  return end.kind === 'watched' ? '' : end.output.slice(-LONGEST_OUTPUT);
}

/** What a caller did in each scenario that was played, with the verdicts of the checks on it. */
function scenarioResults(
  timelines: readonly Timeline[],
  verdicts: readonly ScenarioResult['verdicts'][],
): readonly ScenarioResult[] {
  return timelines.flatMap((timeline, index) =>
    timeline.scenario === 'watched'
      ? []
      : [
          {
            name: timeline.scenario,
            end: callerEnding(timeline.end),
            output: outputOf(timeline.end),
            verdicts: verdicts[index] ?? [],
            timeline: wholeTimeline(timeline),
            requests: timeline.requests.map(shownRequest),
          },
        ],
  );
}

/** The summary of a trial, from which every report is made: its clauses are those that bind the caller. */
export function callerSummary(timelines: readonly Timeline[], run: CallerRun): Summary {
  const verdicts = judgeCaller(timelines, CALLER_CHECKS, scenariosFor);
  const { checks } = verdicts;
  const scenarios = scenarioResults(timelines, verdicts.scenarios);
  const foreign = foreignPaths(timelines);
  const isForeign = timelines.every((timeline) => chatsAtService(timeline).length === 0);
  const isBlamed = checks.some(({ verdict }) => verdict === 'fail');
  const cutShort = [
    ...problemLines(timelines, (timeline) => [...missingRequests(timeline), ...endProblem(timeline.end)]),
    ...(isBlamed ? [] : problemLines(timelines, (timeline) => surplusIn(timeline, timelines))),
    ...neverServed(timelines),
    ...(isForeign ? foreign : []),
    ...run.problems,
  ];
  const clauses = clauseResults(checks, { invariants: new Set(), keys: new Set() });
  return {
    outcome: outcomeOf(checks, cutShort),
    target: { baseUrl: run.name, kind: 'caller', profile: null },
    seed: run.seed,
    caps: { requests: null, completions: null, outputTokens: null },
    startedAt: run.startedAt.toISOString(),
    durationMs: run.durationMs,
    spent: spentIn(timelines, run.outputTokens),
    checks,
    clauses: clauses.filter(({ bound }) => bound === 'caller'),
    open: [],
    uncertain: [],
    cutShort,
    warnings: isForeign ? [] : foreign,
    ...(scenarios.length > 0 && { scenarios }),
  };
}
