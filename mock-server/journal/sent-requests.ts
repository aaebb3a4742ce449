import { namedValues } from '../../fixtures/credentials/carried-secrets.ts';
import type { FaultName } from '../faults/fault-catalogue.ts';
import { suggestion } from '../input/input-error.ts';
import { isObject, jsonIn } from '../protocol/json.ts';
import type { SentChat } from '../rules/subject.ts';
import { differences, type SomeOf } from './differences.ts';
import type { JournalEntry, JournalRecord } from './journal.ts';
import { promptOf } from './shown-exchange.ts';

/** What a client sent: the fields of a chat, if they are right, and whatever else it put there. */
export interface SentBody extends Partial<SentChat> {
  readonly model?: string;
  readonly stream?: boolean;
  readonly [field: string]: unknown;
}

/** A request as it came, keys included, and what had become of it when `requests()` was called. */
export interface SentRequest extends Pick<
  JournalEntry,
  'n' | 'method' | 'path' | 'requestId' | 'endpoint' | 'key' | 'status' | 'ended'
> {
  readonly query: Readonly<Record<string, string | undefined>>;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed; null: it is no JSON object, or 64 MiB of later requests took its place. */
  readonly body: SentBody | null;
  /** The body as it came. */
  readonly text: string;
  /** The text of the last user message; null: there is none. */
  readonly prompt: string | null;
  readonly idempotencyKey: string | null;
  /** In credits; null: nothing was debited (yet). */
  readonly debit: number | null;
  /** The fault that it met, the last one of several. */
  readonly fault: FaultName | null;
  /** The ID of the rule of this fault, or else of the chosen answer. */
  readonly rule: string | null;
}

/**
 * A part of a request, down to each field of its body. A regular expression stands for the texts that it matches, `undefined`
 * for what is not there. Matchers such as `expect.any(String)` may stand anywhere.
 */
export type RequestFilter = SomeOf<SentRequest>;

const NAMES =
  'n method path query headers body text prompt idempotencyKey requestId endpoint key status debit fault rule ended'.split(
    ' ',
  );

/** Throws for a field that no request has: it would find nothing. */
export function checkFilter(filter: RequestFilter, caller: string): void {
  const unknown = Object.keys(filter).find((name) => !NAMES.includes(name));
  if (unknown === undefined) return;
  const hint = suggestion(unknown, NAMES);
  throw new TypeError(`${caller}: ${unknown}: no request has this field${hint}; it has ${NAMES.join(', ')}`);
}

/** Those of which the filter is a part, in the order of their arrival. */
export function sentRequests(records: readonly JournalRecord[], filter: RequestFilter = {}) {
  checkFilter(filter, 'requests');
  return records.map(sentRequest).filter((request) => differences(filter, request).next().done === true);
}

function sentRequest(record: JournalRecord): SentRequest {
  const { entry, arrival } = record;
  const { n, method, path, requestId, endpoint, key, status, fault, answer, ended, ledger } = entry;
  const text = arrival?.body?.toString() ?? '';
  const body = jsonIn(text);
  return {
    n,
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(arrival?.url.split(/\?(.*)/s)[1])),
    headers: headersOf(arrival?.rawHeaders ?? []),
    body: isObject(body) ? body : null,
    text,
    prompt: promptOf(record),
    idempotencyKey: arrival?.idempotencyKey ?? entry.idempotencyKey,
    requestId,
    endpoint,
    key,
    status,
    debit: ledger.at(-1)?.debit ?? null,
    fault: fault?.fault ?? null,
    rule: fault?.rule ?? answer,
    ended,
  };
}

/** The values of a repeated header stand in one text, as HTTP has it. */
function headersOf(raw: readonly string[]): SentRequest['headers'] {
  return Object.fromEntries(new Headers(namedValues(raw).map(([name, value]) => [name, value])));
}
