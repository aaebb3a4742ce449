import { HEADERS } from '../../fixtures/chats/chat.ts';
import { type Finding, type Ruling, shownBy, violated } from '../engine/model/ruling.ts';
import type { Evidence, ScenarioRequest, ShownExchange } from '../engine/model/summary.ts';
import type { Timeline, TimelineRequest } from './timeline.ts';

/** A violation that shows in one request of the timeline. */
export function violatedBy({ n }: TimelineRequest, code: string, expected: string, actual: string): Ruling {
  return shownBy(n - 1, violated(code, expected, actual));
}

/** How findings name a request: `#3`. */
export function numbered({ n }: TimelineRequest): string {
  return `#${n}`;
}

/** How many lines are shown before and after the request that shows a violation. */
const AROUND = 12;

/** What shows a violation: the request, and the timeline around it. */
export function callerEvidence(timeline: Timeline, finding: Finding): Evidence {
  const { scenario } = timeline;
  const request = timeline.requests[finding.exchange ?? 0];
  if (request === undefined) throw new TypeError('a judgement blamed a caller that sent nothing');
  const lines = timelineLines(timeline, request);
  const from = Math.max(0, lines.findIndex((line) => line.startsWith(MARK)) - AROUND);
  return {
    finding,
    exchange: shownExchange(scenario, request),
    timeline: [`scenario ${scenario}`, ...shortened(lines.slice(from), 2 * AROUND + 1)],
    // The mock that it was sent to is gone.
    curl: '',
  };
}

const CREDENTIALS = {
  own: 'its own key',
  foreign: "the service's key, elsewhere",
  unknown: 'an unknown key',
  none: 'no Authorization header',
} as const satisfies Readonly<Record<TimelineRequest['credential'], string>>;

const LONGEST_BODY = 4000;

function cut(text: string): string {
  return text.length <= LONGEST_BODY ? text : `${text.slice(0, LONGEST_BODY)}…`;
}

const SHOWN_HEADERS: ReadonlySet<string> = new Set([
  HEADERS.contentType,
  HEADERS.idempotencyKey,
  'user-agent',
  'origin',
  'x-stainless-retry-count',
]);

function shownExchange(scenario: string, request: TimelineRequest): ShownExchange {
  const { n, method, path, status, body, answer, credential, outcome } = request;
  const headers = Object.entries(request.headers).filter(([name]) => SHOWN_HEADERS.has(name));
  const isAnswered = outcome.kind === 'served' || outcome.kind === 'refused';
  const why = outcome.kind === 'uncertain' ? outcome.why : 'still in flight';
  return {
    id: `${scenario}#${n}`,
    request: {
      method,
      path,
      credential: CREDENTIALS[credential],
      headers: Object.fromEntries(headers),
      ...(body !== '' && { body: cut(body) }),
    },
    outcome: isAnswered ? 'answered' : `uncertain: ${why}`,
    ...(status !== undefined && { answer: { status, headers: {}, body: cut(answer) } }),
  };
}

function outcomeText({ outcome, status }: TimelineRequest): string {
  if (outcome.kind === 'running') return 'still waiting';
  if (outcome.kind === 'served') return String(status);
  if (outcome.why === 'no-answer') return 'the caller left';
  const why = outcome.why === 'cut' ? 'broken off' : outcome.why;
  return status === undefined ? why : `${status} ${why}`;
}

/** One request in the report of a scenario. */
export function shownRequest({ startedAt }: Timeline, request: TimelineRequest): ScenarioRequest {
  const { n, arrivedAt, knownAt, endpoint, fault, money } = request;
  return {
    n,
    from: arrivedAt - startedAt,
    to: knownAt === undefined ? null : knownAt - startedAt,
    kind: endpoint === 'chat' ? 'chat' : 'other',
    outcome: outcomeText(request),
    ...(fault !== undefined && { fault }),
    ...(money !== undefined && { money }),
  };
}

/** How the line of the request begins that shows a violation. */
const MARK = '»';

/** A line of a timeline, and its time. */
type TimedLine = readonly [at: number, line: string];

function timedLine(at: number, mark: string, ...parts: readonly unknown[]): TimedLine {
  const text = parts.filter((part) => typeof part === 'string').join(' · ');
  return [at, `${mark} ${(at / 1000).toFixed(3).padStart(8)} s  ${text}`];
}

/** The requests with their outcomes and the lookups, in order of time. */
function timelineLines(timeline: Timeline, marked?: TimelineRequest): readonly string[] {
  const { startedAt, requests, chats, lookups = [] } = timeline;
  const models = new Map(chats.map(({ n, fields }) => [n, fields?.['model']]));
  const lines = [
    ...requests.map((request) => {
      const { n, arrivedAt, place, method, path, idempotencyKey: key, fault, money } = request;
      const asked = `#${n} ${place === 'elsewhere' ? 'elsewhere: ' : ''}${method} ${path}`;
      const withKey = key === undefined ? undefined : `key ${key}`;
      const mark = request === marked ? MARK : ' ';
      return timedLine(
        arrivedAt - startedAt,
        mark,
        asked,
        models.get(n),
        withKey,
        outcomeText(request),
        fault,
        money,
      );
    }),
    ...lookups.map(({ at, about }) =>
      timedLine(at - startedAt, ' ', `   workspace lookup${about === null ? '' : ` of ${about}`}`),
    ),
  ];
  return lines.toSorted(([one], [other]) => one - other).map(([, line]) => line);
}

function shortened(lines: readonly string[], most: number): readonly string[] {
  const hidden = lines.length - most;
  return hidden > 0 ? [...lines.slice(0, most), `  … ${hidden} more`] : lines;
}

const MOST_LINES = 300;

/** Everything that a caller sent, in order of time. */
export function wholeTimeline(timeline: Timeline): readonly string[] {
  return shortened(timelineLines(timeline), MOST_LINES);
}
