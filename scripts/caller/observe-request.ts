import { HEADERS } from '../../fixtures/chats/wire.ts';
import type { RecordedRequest } from '../../mock-server/journal/request-recorder.ts';
import { ERROR_TABLE, type ErrorKind } from '../../mock-server/protocol/error-table.ts';
import type { World } from '../../mock-server/world/world.ts';
import type {
  RequestOutcome,
  RefusalReason,
  TimelineRequest,
} from '../../suites/caller/observed/timeline.ts';
import { isJsonObject, parseJson } from '../../suites/kit/reading/json.ts';

/** Where and when a request was observed, and how to remove keys from it. */
export interface ObservationContext {
  readonly place: TimelineRequest['place'];
  readonly world: World;
  /** Without the keys of the service itself, in every spelling; those of another provider stay. */
  readonly withoutServiceKeys: (text: string) => string;
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

function refusalOf({ choices }: World, answer: string): RefusalReason {
  const body = parseJson(Buffer.from(answer, 'latin1'));
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
  left: number | undefined,
  context: ObservationContext,
): RequestOutcome {
  if (left !== undefined) return { kind: 'uncertain', why: 'no-answer' };
  if (entry.ended === null || entry.ended === 'silent' || entry.ended === 'client-gone')
    return { kind: 'running' };
  if (endedAt !== null && endedAt >= context.endedAt) return { kind: 'running' };
  const fault = entry.fault?.fault;
  if (fault === 'gateway_failure') return { kind: 'uncertain', why: 'gateway' };
  if (entry.ended === 'cut') return { kind: 'uncertain', why: 'cut' };
  if (entry.status !== null && entry.status < 400) return { kind: 'served' };
  return { kind: 'refused', why: refusalOf(context.world, answer ?? '') };
}

/** Names in lower case, in the order in which they came. */
function headersOf({ arrival: { rawHeaders } }: RecordedRequest): readonly (readonly [string, string])[] {
  return rawHeaders.flatMap((name, i) =>
    i % 2 === 0 ? [[name.toLowerCase(), rawHeaders[i + 1] ?? ''] as const] : [],
  );
}

function isAuthorization([name]: readonly [string, string]): boolean {
  return name === HEADERS.authorization;
}

function credentialOf(
  recorded: RecordedRequest,
  { world, place, withoutServiceKeys }: ObservationContext,
): TimelineRequest['credential'] {
  const authorization = headersOf(recorded).find(isAuthorization)?.[1];
  if (authorization === undefined) return 'none';
  if (place === 'elsewhere' && withoutServiceKeys(authorization) !== authorization) return 'foreign';
  return world.keys.some(({ key }) => authorization.includes(key)) ? 'own' : 'unknown';
}

/** Elsewhere only the keys of the service matter, not those of another provider. */
function keyPlaces(
  recorded: RecordedRequest,
  body: string,
  { withoutKeys, place, withoutServiceKeys }: ObservationContext,
): readonly string[] {
  const without = place === 'service' ? withoutKeys : withoutServiceKeys;
  const places = [
    ['the address', recorded.arrival.url],
    ['the body', body],
    ...headersOf(recorded)
      .filter((header) => !isAuthorization(header))
      .map(([name, value]) => [`the header ${name}`, value] as const),
  ] as const;
  return places.flatMap(([where, text]) => (without(text) === text ? [] : [where]));
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
  const { startedAt, withoutKeys, place } = context;
  const left = leftAt(recorded, context.endedAt);
  const outcome = outcomeOf(recorded, left, context);
  const known = outcome.kind === 'running' ? undefined : (left ?? endedAt);
  const body = (arrival.body ?? Buffer.alloc(0)).toString('utf8');
  const { idempotencyKey } = arrival;
  const shown = headersOf(recorded).filter((header) => !isAuthorization(header));
  return {
    place,
    arrivedAt: arrivedAt - startedAt,
    knownAt: known === undefined || known === null ? undefined : known - startedAt,
    leftAt: left === undefined ? undefined : left - startedAt,
    isHeld: entry.fault?.fault === 'timeout',
    method: arrival.method,
    path: withoutKeys(arrival.url),
    headers: Object.fromEntries(shown.map(([name, value]) => [name, withoutKeys(value)])),
    credential: credentialOf(recorded, context),
    keyIn: keyPlaces(recorded, body, context),
    idempotencyKey: idempotencyKey === undefined ? undefined : withoutKeys(idempotencyKey),
    requestId: entry.requestId,
    body: withoutKeys(body),
    status: entry.status ?? undefined,
    answer: withoutKeys(Buffer.from(recorded.answer ?? '', 'latin1').toString('utf8')),
    outcome,
    fault: entry.fault === null ? undefined : `${entry.fault.fault} at ${entry.fault.phase}`,
    money: creditsOf(recorded),
  };
}
