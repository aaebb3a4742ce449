import { HEADERS } from '../../../fixtures/chats/wire.ts';
import { type Finding, type Ruling, shownBy, violated } from '../../kit/model/ruling.ts';
import type { Evidence, ScenarioRequest, ShownExchange } from '../../kit/model/summary.ts';
import { chatOf, endpointAsked } from './chats.ts';
import type { Timeline, TimelineRequest, WorkspaceLookup } from './timeline.ts';

/** A violation that shows in one request of the timeline. */
export function violatedBy(
  { requests }: Timeline,
  request: TimelineRequest,
  code: string,
  expected: string,
  actual: string,
): Ruling {
  return shownBy(requests.indexOf(request), violated(code, expected, actual));
}

/** How findings name a request: `#3`. */
export function numbered({ n }: TimelineRequest): string {
  return `#${n}`;
}

/** What shows a violation: the request, and the timeline around it. */
export function callerEvidence(timeline: Timeline, finding: Finding): Evidence {
  const request = timeline.requests[finding.exchange ?? 0];
  if (request === undefined) throw new TypeError('a judgement blamed a caller that sent nothing');
  return {
    finding,
    exchange: shownExchange(timeline.scenario, request),
    timeline: timelineLines(timeline, request),
    // The mock that it was sent to is gone.
    curl: '',
  };
}

const LONGEST_BODY = 4000;

const CREDENTIALS: Readonly<Record<TimelineRequest['credential'], string>> = {
  own: 'its own key',
  foreign: "the service's key, elsewhere",
  unknown: 'an unknown key',
  none: 'no Authorization header',
};

function cut(text: string): string {
  return text.length <= LONGEST_BODY ? text : `${text.slice(0, LONGEST_BODY)}…`;
}

function exchangeOutcome({ outcome }: TimelineRequest): string {
  if (outcome.kind === 'served' || outcome.kind === 'refused') return 'answered';
  return outcome.kind === 'running' ? 'uncertain: still in flight' : `uncertain: ${outcome.why}`;
}

const SHOWN_HEADERS: ReadonlySet<string> = new Set([
  HEADERS.contentType,
  HEADERS.idempotencyKey,
  'user-agent',
  'origin',
  'x-stainless-retry-count',
]);

function shownExchange(scenario: string, request: TimelineRequest): ShownExchange {
  const { n, method, path, status, body, answer, credential } = request;
  const headers = Object.entries(request.headers).filter(([name]) => SHOWN_HEADERS.has(name));
  return {
    id: `${scenario}#${n}`,
    request: {
      method,
      path,
      credential: CREDENTIALS[credential],
      headers: Object.fromEntries(headers),
      ...(body !== '' && { body: cut(body) }),
    },
    outcome: exchangeOutcome(request),
    ...(status !== undefined && { answer: { status, headers: {}, body: cut(answer) } }),
  };
}

/** How many lines are shown before and after the marked one. */
const AROUND = 12;

interface Line {
  readonly at: number;
  readonly request?: TimelineRequest;
  readonly text: string;
}

function outcomeText({ outcome, status, leftAt }: TimelineRequest): string {
  if (leftAt !== undefined) return 'the caller left';
  if (outcome.kind === 'running') return 'still waiting';
  if (outcome.kind === 'served') return String(status);
  const why = outcome.kind === 'uncertain' && outcome.why === 'cut' ? 'broken off' : outcome.why;
  return status === undefined ? why : `${status} ${why}`;
}

/** One request, for a picture of the timeline. */
export function pictured(request: TimelineRequest): ScenarioRequest {
  const { n, arrivedAt, knownAt, fault, money } = request;
  return {
    n,
    from: arrivedAt,
    to: knownAt ?? null,
    kind: endpointAsked(request) === 'chat' ? 'chat' : 'other',
    outcome: outcomeText(request),
    ...(fault !== undefined && { fault }),
    ...(money !== undefined && { money }),
  };
}

function requestText(request: TimelineRequest): string {
  const { n, method, path, idempotencyKey, fault, money, place } = request;
  const model = chatOf(request)?.['model'];
  const parts = [
    `#${n} ${place === 'elsewhere' ? 'elsewhere: ' : ''}${method} ${path}`,
    typeof model === 'string' ? model : '',
    idempotencyKey === undefined ? '' : `key ${idempotencyKey}`,
    outcomeText(request),
    fault ?? '',
    money ?? '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function lookupText({ about }: WorkspaceLookup): string {
  return `   workspace lookup${about === undefined ? '' : ` of ${about}`}`;
}

function lineText({ at, text }: Line, isMarked: boolean): string {
  return `${isMarked ? '»' : ' '} ${(at / 1000).toFixed(3).padStart(8)} s  ${text}`;
}

function linesOf({ requests, lookups }: Timeline): readonly Line[] {
  return [
    ...requests.map((request) => ({ at: request.arrivedAt, request, text: requestText(request) })),
    ...lookups.map((lookup) => ({ at: lookup.at, text: lookupText(lookup) })),
  ].toSorted((one, other) => one.at - other.at);
}

const MOST_LINES = 300;

/** Everything that a caller sent, in order of time. */
export function wholeTimeline(timeline: Timeline): readonly string[] {
  const lines = linesOf(timeline).map((line) => lineText(line, false));
  const hidden = lines.length - MOST_LINES;
  return hidden > 0 ? [...lines.slice(0, MOST_LINES), `  … ${hidden} more`] : lines;
}

/** The requests with their outcomes and the lookups, in order of time, around the marked request. */
function timelineLines(timeline: Timeline, marked: TimelineRequest): readonly string[] {
  const { scenario } = timeline;
  const lines = linesOf(timeline);
  const place = lines.findIndex(({ request }) => request === marked);
  const shown = lines.slice(Math.max(0, place - AROUND), place + AROUND + 1);
  const hidden = lines.length - shown.length;
  return [
    `scenario ${scenario}`,
    ...shown.map((line) => lineText(line, line.request === marked)),
    ...(hidden > 0 ? [`  … ${hidden} more`] : []),
  ];
}
