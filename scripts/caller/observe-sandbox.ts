import { HEADERS } from '../../fixtures/chats/chat.ts';
import { namedValues } from '../../fixtures/credentials/carried-secrets.ts';
import { redactText } from '../../fixtures/credentials/redact-secrets.ts';
import type { RecordedRequest } from '../../mock-server/journal/memory-journal.ts';
import type { ErrorKind } from '../../mock-server/protocol/service-error.ts';
import type { Sandbox } from '../../mock-server/sandboxes/sandboxes.ts';
import { setTimeout } from '../../mock-server/time/timers.ts';
import type { World } from '../../mock-server/world/world-schema.ts';
import { keyPlaces, timelineOf } from '../../suites/caller/chats.ts';
import {
  type CallerFacts,
  type ObservedRequest,
  type Timeline,
  WATCHED,
} from '../../suites/caller/timeline.ts';
import { isJsonObject, jsonIn } from '../../suites/engine/reading/json.ts';

/** Where a caller is observed. */
export interface Observed {
  readonly service: Sandbox;
  /** Plays another provider; undefined: none is played. */
  readonly elsewhere?: Sandbox | undefined;
}

/** How many requests are still under way, or wait for an answer that does not come. */
export function underWay({ service, elsewhere }: Observed): number {
  const recorded = [service, elsewhere].flatMap((sandbox) => sandbox?.recorder?.requests ?? []);
  return recorded.filter(({ entry: { ended } }) => ended === null || ended === 'silent').length;
}

const SETTLING_MS = 300;
const POLL_EVERY_MS = 10;

/** Waits briefly until the connections of a process that has ended are seen to be closed. */
export async function connectionsSettled(observed: Observed): Promise<void> {
  for (let waited = 0; waited < SETTLING_MS && underWay(observed) > 0; waited += POLL_EVERY_MS)
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
}

/** Writes texts without the keys of these sandboxes, in every spelling. */
function withoutKeysOf(...sandboxes: readonly (Sandbox | undefined)[]): (text: string) => string {
  const keys = sandboxes.flatMap((sandbox) => sandbox?.service.world.keys ?? []);
  const secrets = new Map(keys.map(({ key, name }) => [key, `[key:${name}]`]));
  return (text) => redactText(text, secrets);
}

/** Everything observed of a caller so far, as a timeline. Times are those of `performance.now()`. */
export function observedTimeline(
  observed: Observed,
  about: Omit<CallerFacts, 'lookups' | 'unmet' | 'outputTokens'>,
): Timeline {
  const { service, elsewhere } = observed;
  const { startedAt, end } = about;
  const without = withoutKeysOf(service, elsewhere);
  // Connections that end later end because the observation does.
  const stoppedAt = end.kind === 'stopped' ? startedAt + end.afterMs : Infinity;
  const until = end.kind === 'driven' ? (end.at ?? Infinity) : stoppedAt;
  const requests = (['service', 'elsewhere'] as const).flatMap((place) => requestsAt(place, observed, until));
  const reads = service.recorder?.workspaceReads ?? [];
  const work = service.service.ledger.entries().map((entry) => entry.work?.outputTokens ?? 0);
  return timelineOf(requests, {
    ...about,
    end: {
      ...end,
      output: without(end.output),
      ...(end.stderr && { stderr: without(end.stderr) }),
      ...(end.written && { written: end.written.map(({ at, text }) => ({ at, text: without(text) })) }),
    },
    outputTokens: work.reduce((sum, tokens) => sum + tokens, 0),
    lookups: reads.filter(({ operation }) => LOOKUP_OPERATIONS.has(operation)),
    // Faults that a user armed may be meant for later.
    unmet: about.scenario === WATCHED.scenario ? undefined : unmetFaults(service),
  });
}

/** Why a scenario came to nothing; one fault of several is enough. */
function unmetFaults({ service }: Sandbox): string | undefined {
  const rules = service.faults.rules();
  if (rules.length === 0 || rules.some(({ fired }) => fired > 0)) return undefined;
  const names = new Set(rules.map(({ rule }) => rule.words.fault));
  const after = Math.min(...rules.map(({ rule }) => rule.words.after ?? 0));
  const least = after === 0 ? '' : `: it needs a caller that sends more than ${after} chats`;
  return `its fault (${[...names].join(', ')}) never triggered${least}`;
}

/** The operations of the control API that show the outcomes of requests. */
const LOOKUP_OPERATIONS = new Set(['listRequests', 'readRequest', 'readWorkspace', 'readJournal']);

function requestsAt(place: ObservedRequest['place'], observed: Observed, until: number) {
  const { service, elsewhere } = observed;
  const { world } = (observed[place] ?? service).service;
  const [withoutOwn, withoutKeys] = [withoutKeysOf(service), withoutKeysOf(service, elsewhere)];
  // A key of another provider may go anywhere.
  const holdsKey = (text: string): boolean => withoutOwn(text) !== text;
  return (observed[place]?.recorder?.requests ?? []).map((recorded): ObservedRequest => {
    const { arrival, entry, arrivedAt, answer } = recorded;
    const body = (arrival.body ?? Buffer.alloc(0)).toString();
    const all = namedValues(arrival.rawHeaders).map(([name, value]) => [name.toLowerCase(), value] as const);
    const headers = all.filter(([name]) => name !== HEADERS.authorization);
    const authorization = all.find(([name]) => name === HEADERS.authorization)?.[1];
    const holdsOwn = holdsKey(authorization ?? '');
    // A fault may come before the mock looks at the key.
    const known = entry.key !== null || holdsOwn ? 'own' : 'unknown';
    const given = place === 'elsewhere' && holdsOwn ? "the service's" : known;
    return {
      ...outcomeOf(recorded, world, until),
      place,
      arrivedAt,
      isHeld: entry.fault?.fault === 'timeout',
      method: arrival.method,
      path: withoutKeys(arrival.url),
      headers: Object.fromEntries(headers.map(([name, value]) => [name, withoutKeys(value)])),
      credential: authorization === undefined ? 'none' : given,
      keyIn: keyPlaces({ url: arrival.url, body, headers }, holdsKey),
      idempotencyKey: arrival.idempotencyKey && withoutKeys(arrival.idempotencyKey),
      requestId: entry.requestId,
      body: withoutKeys(body),
      status: entry.status ?? undefined,
      answer: withoutKeys(answer?.body.toString() ?? ''),
      fault: entry.fault === null ? undefined : `${entry.fault.fault} at ${entry.fault.phase}`,
      money: creditsOf(recorded),
    };
  });
}

/** What became of a request, and when its caller knew that, or left. */
function outcomeOf(recorded: RecordedRequest, world: World, until: number) {
  const { entry, endedAt, goneAt } = recorded;
  const isUnanswered = entry.ended === 'client-gone' || entry.ended === 'silent';
  const knownAt = isUnanswered ? goneAt : endedAt;
  if (knownAt === null || knownAt >= until) return { outcome: 'running' as const, knownAt: undefined };
  return { outcome: isUnanswered ? ('no-answer' as const) : answeredAs(recorded, world), knownAt };
}

function answeredAs({ entry, answer }: RecordedRequest, { choices }: World): ObservedRequest['outcome'] {
  if (entry.fault?.fault === 'gateway_failure') return 'gateway';
  if (entry.ended === 'cut') return 'cut';
  if (entry.status !== null && entry.status < 400) return 'served';
  const { code } = errorIn(answer?.body ?? Buffer.alloc(0));
  const found = REFUSALS.find(([kind]) => (choices.errors.overrides[kind]?.code ?? kind) === code);
  return found?.[1] ?? 'other';
}

const REFUSALS = [
  ['rate_limit', 'rate-limit'],
  ['token_limit', 'token-limit'],
  ['unknown_model', 'unknown-model'],
  ['model_unavailable', 'unavailable'],
  ['service_unavailable', 'unavailable'],
] as const satisfies readonly (readonly [ErrorKind, ObservedRequest['outcome']])[];

/** The error object of an answer, wherever a world puts it; empty: there is none. */
export function errorIn(answer: Uint8Array): Readonly<Record<string, unknown>> {
  const body = jsonIn(answer);
  const root = isJsonObject(body) ? body : {};
  return isJsonObject(root['error']) ? root['error'] : root;
}

function creditsOf({ entry }: RecordedRequest): string | undefined {
  const last: { state?: string; reserved?: number; debit?: number | null } | undefined = entry.ledger.at(-1);
  if (last === undefined) return undefined;
  if (last.state === 'succeeded') return `debited ${last.debit}`;
  return last.state === 'failed' ? 'released' : `${last.reserved} reserved, ${last.state}`;
}
