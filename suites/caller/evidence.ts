import { type Ruling, shownBy, violated } from '../engine/model/ruling.ts';
import type { Evidence, ScenarioRequest, ShownExchange } from '../engine/model/summary.ts';
import type { Shown } from './advice.ts';
import { isUncertain } from './chats.ts';
import type { Timeline, TimelineRequest } from './timeline.ts';

/** A violation that shows in one request of the timeline. */
export function violatedBy({ n }: TimelineRequest, code: string, expected: string, actual: string): Ruling {
  return shownBy(n - 1, violated(code, expected, actual));
}

/** How findings name a request: `#3`. */
export function numbered({ n }: TimelineRequest): string {
  return `#${n}`;
}

export function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

/** How many lines are shown before and after the request that shows a violation. */
const AROUND = 12;

/** The request that shows a violation, and the timeline around it. */
export function callerEvidence({ timeline, request, finding }: Shown): Evidence {
  const { scenario } = timeline;
  const lines = timelineLines(timeline, request);
  const place = lines.findIndex((line) => line.startsWith(MARK));
  return {
    finding,
    exchange: shownExchange(scenario, request),
    timeline: [`scenario ${scenario}`, ...lines.slice(Math.max(0, place - AROUND), place + AROUND)],
    // The mock that it was sent to is gone.
    curl: '',
  };
}

function cut(text: string): string {
  return text.length <= 4000 ? text : `${text.slice(0, 4000)}…`;
}

const SHOWN_HEADERS = /^(?:content-type|idempotency-key|user-agent|origin|x-stainless-retry-count)$/;

function shownExchange(scenario: string, request: TimelineRequest): ShownExchange {
  const { n, method, path, status, body, answer, credential, outcome } = request;
  const headers = Object.entries(request.headers).filter(([name]) => SHOWN_HEADERS.test(name));
  const head = { method, path, credential, headers: Object.fromEntries(headers) };
  return {
    id: `${scenario}#${n}`,
    request: { ...head, ...(body !== '' && { body: cut(body) }) },
    outcome: outcome === 'running' || isUncertain(request) ? `uncertain: ${outcome}` : 'answered',
    ...(status !== undefined && { answer: { status, headers: {}, body: cut(answer) } }),
  };
}

function outcomeText({ outcome, status }: TimelineRequest): string {
  if (outcome === 'running') return 'still waiting';
  if (outcome === 'served') return String(status);
  if (outcome === 'no-answer') return 'the caller left';
  const why = outcome === 'cut' ? 'broken off' : outcome;
  return status === undefined ? why : `${status} ${why}`;
}

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

/** The requests with their outcomes and the lookups, in order of time. */
function timelineLines({ startedAt, requests, chats, lookups = [] }: Timeline, marked?: TimelineRequest) {
  const models = new Map(chats.map(({ n, fields }) => [n, fields?.['model']]));
  const events = [
    ...requests.map((request) => {
      const { n, arrivedAt: at, place, method, path, idempotencyKey: key, fault, money } = request;
      const asked = `#${n} ${place === 'elsewhere' ? 'elsewhere: ' : ''}${method} ${path}`;
      const parts = [asked, models.get(n), key && `key ${key}`, outcomeText(request), fault, money];
      const text = parts.filter((part) => typeof part === 'string').join(' · ');
      return { at, mark: request === marked ? MARK : ' ', text };
    }),
    ...lookups.map(({ at, about }) => ({
      at,
      mark: ' ',
      text: `   workspace lookup${about === null ? '' : ` of ${about}`}`,
    })),
  ];
  return events
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, mark, text }) => `${mark} ${((at - startedAt) / 1000).toFixed(3).padStart(8)} s  ${text}`);
}

const MOST_LINES = 300;

/** Everything that a caller sent, in order of time. */
export function wholeTimeline(timeline: Timeline): readonly string[] {
  const lines = timelineLines(timeline);
  const hidden = lines.length - MOST_LINES;
  return hidden > 0 ? [...lines.slice(0, MOST_LINES), `  … ${hidden} more`] : lines;
}
