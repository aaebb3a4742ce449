import { HEADERS } from '../../fixtures/chats/wire.ts';
import type { RecordedRequest } from '../../mock-server/journal/request-recorder.ts';
import { ERROR_TABLE, type ErrorKind } from '../../mock-server/protocol/error-table.ts';
import type { World } from '../../mock-server/world/world.ts';
import type {
  RefusalReason,
  RequestOutcome,
  TimelineRequest,
} from '../../suites/caller/observed/timeline.ts';
import { isJsonObject, parseJson } from '../../suites/engine/reading/json.ts';

/** Where and when requests were observed, and how to remove keys from them. */
export interface ObservationContext {
  readonly place: TimelineRequest['place'];
  readonly world: World;
  /** Whether a text holds a key of the service itself, in any spelling; those of another provider do not count. */
  readonly holdsKey: (text: string) => boolean;
  readonly withoutKeys: (text: string) => string;
  /** When the observation started. */
  readonly startedAt: number;
  /** Connections that end later end because the observation does. */
  readonly endedAt: number;
}

const REFUSALS: Readonly<Partial<Record<ErrorKind, RefusalReason>>> = {
  rate_limit: 'rate-limit',
  token_limit: 'token-limit',
  unknown_model: 'unknown-model',
  model_unavailable: 'unavailable',
  service_unavailable: 'unavailable',
};

function refusalOf({ choices }: World, answer: Buffer): RefusalReason {
  const body = parseJson(answer);
  const root = body.kind === 'json' && isJsonObject(body.value) ? body.value : {};
  const code = (isJsonObject(root['error']) ? root['error'] : root)['code'];
  const rows = Object.values(ERROR_TABLE);
  const row = rows.find((each) => (choices.errors.overrides[each.code]?.code ?? each.code) === code);
  return (row && REFUSALS[row.code]) ?? 'other';
}

function leftAt({ entry, goneAt }: RecordedRequest, endedAt: number): number | undefined {
  const isLeft = entry.ended === 'client-gone' || entry.ended === 'silent';
  return isLeft && goneAt !== null && goneAt < endedAt ? goneAt : undefined;
}

function outcomeOf(
  { entry, answer, endedAt }: RecordedRequest,
  { world, endedAt: observedUntil }: ObservationContext,
): RequestOutcome {
  if (entry.ended === null || entry.ended === 'silent' || entry.ended === 'client-gone')
    return { kind: 'running' };
  if (endedAt !== null && endedAt >= observedUntil) return { kind: 'running' };
  if (entry.fault?.fault === 'gateway_failure') return { kind: 'uncertain', why: 'gateway' };
  if (entry.ended === 'cut') return { kind: 'uncertain', why: 'cut' };
  if (entry.status !== null && entry.status < 400) return { kind: 'served' };
  return { kind: 'refused', why: refusalOf(world, answer?.body ?? Buffer.alloc(0)) };
}

type Header = readonly [name: string, value: string];

/** Names in lower case, in the order in which they came. */
function headersOf({ arrival: { rawHeaders } }: RecordedRequest): readonly Header[] {
  return rawHeaders.flatMap((name, i) =>
    i % 2 === 0 ? [[name.toLowerCase(), rawHeaders[i + 1] ?? ''] as const] : [],
  );
}

function credentialOf(
  authorization: string | undefined,
  { world, place, holdsKey }: ObservationContext,
): TimelineRequest['credential'] {
  if (authorization === undefined) return 'none';
  if (place === 'elsewhere' && holdsKey(authorization)) return 'foreign';
  return world.keys.some(({ key }) => authorization.includes(key)) ? 'own' : 'unknown';
}

/** Where else than in Authorization a request has a key of the service. */
function keyPlaces(
  url: string,
  body: string,
  headers: readonly Header[],
  holdsKey: ObservationContext['holdsKey'],
): readonly string[] {
  return [
    ...(holdsKey(url) ? ['the address'] : []),
    ...(holdsKey(body) ? ['the body'] : []),
    ...headers.flatMap(([name, value]) => (holdsKey(value) ? [`the header ${name}`] : [])),
  ];
}

function creditsOf({ entry }: RecordedRequest): string | undefined {
  const last: { state?: string; reserved?: number; debit?: number | null } | undefined = entry.ledger.at(-1);
  if (last === undefined) return undefined;
  if (last.state === 'succeeded') return `debited ${last.debit}`;
  return last.state === 'failed' ? 'released' : `${last.reserved} reserved, ${last.state}`;
}

/** An observed request as the judge sees it; it is numbered once all requests are in order. */
export function timelineRequest(
  recorded: RecordedRequest,
  context: ObservationContext,
): Omit<TimelineRequest, 'n'> {
  const { arrival, entry, arrivedAt, endedAt } = recorded;
  const { startedAt, withoutKeys, holdsKey, place } = context;
  const left = leftAt(recorded, context.endedAt);
  const outcome: RequestOutcome =
    left === undefined ? outcomeOf(recorded, context) : { kind: 'uncertain', why: 'no-answer' };
  const known = outcome.kind === 'running' ? undefined : (left ?? endedAt ?? undefined);
  const sinceStart = (at: number | undefined): number | undefined =>
    at === undefined ? undefined : at - startedAt;
  const body = (arrival.body ?? Buffer.alloc(0)).toString('utf8');
  const all = headersOf(recorded);
  const headers = all.filter(([name]) => name !== HEADERS.authorization);
  return {
    place,
    arrivedAt: arrivedAt - startedAt,
    knownAt: sinceStart(known),
    leftAt: sinceStart(left),
    isHeld: entry.fault?.fault === 'timeout',
    method: arrival.method,
    path: withoutKeys(arrival.url),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, withoutKeys(value)])),
    credential: credentialOf(all.find(([name]) => name === HEADERS.authorization)?.[1], context),
    keyIn: keyPlaces(arrival.url, body, headers, holdsKey),
    idempotencyKey: arrival.idempotencyKey && withoutKeys(arrival.idempotencyKey),
    requestId: entry.requestId,
    body: withoutKeys(body),
    status: entry.status ?? undefined,
    answer: withoutKeys(recorded.answer?.body.toString() ?? ''),
    outcome,
    fault: entry.fault === null ? undefined : `${entry.fault.fault} at ${entry.fault.phase}`,
    money: creditsOf(recorded),
  };
}
