import { HEADERS } from '../../fixtures/chats/wire.ts';
import { chatOf } from './seen-chats.ts';
import type { WorkspaceLookup, TimelineRequest, Timeline } from './timeline.ts';

/** So many lines before and after the one that matters. */
const AROUND = 12;

interface Line {
  readonly at: number;
  readonly request: TimelineRequest | undefined;
  readonly text: string;
}

function outcomeText({ outcome: met, status, leftAt }: TimelineRequest): string {
  if (leftAt !== undefined) return 'the caller left';
  if (met.kind === 'running') return 'still waiting';
  if (met.kind === 'served') return String(status);
  const why = met.kind === 'uncertain' && met.why === 'cut' ? 'broken off' : met.why;
  return status === undefined ? why : `${status} ${why}`;
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

function lookText({ about }: WorkspaceLookup): string {
  return `   looked into the workspace${about === undefined ? '' : ` for ${about}`}`;
}

function lineText({ at, text }: Line, isTheOne: boolean): string {
  return `${isTheOne ? '»' : ' '} ${(at / 1000).toFixed(3).padStart(8)} s  ${text}`;
}

/** Everything that the caller sent, what became of it, and when it looked; the request that matters is marked. */
export function showTimeline(timeline: Timeline, marked: TimelineRequest): readonly string[] {
  const requests = timeline.requests.map((request): Line => ({
    at: request.arrivedAt,
    request,
    text: requestText(request),
  }));
  const looks = timeline.lookups.map((look): Line => ({
    at: look.at,
    request: undefined,
    text: lookText(look),
  }));
  const lines = [...requests, ...looks].toSorted((one, other) => one.at - other.at);
  const place = lines.findIndex(({ request }) => request === marked);
  const first = Math.max(0, place - AROUND);
  const shown = lines.slice(first, place + AROUND + 1);
  const left = lines.length - shown.length;
  return [
    `scenario ${timeline.scenario}`,
    ...shown.map((line) => lineText(line, line.request === marked)),
    ...(left > 0 ? [`  … ${left} more`] : []),
  ];
}

const SHOWN: ReadonlySet<string> = new Set([
  HEADERS.contentType,
  HEADERS.idempotencyKey,
  'user-agent',
  'origin',
  'x-stainless-retry-count',
]);

/** The headers that a report shows. */
export function shownHeaders({ headers }: TimelineRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => SHOWN.has(name)));
}
