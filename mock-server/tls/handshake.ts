import { occasionOf } from '../exchange/exchange.ts';
import { identify } from '../exchange/identity.ts';
import type { Effect } from '../faults/fault.ts';
import type { JournalRecord } from '../journal/journal.ts';
import type { Service } from '../sandboxes/service.ts';

const NOTHING = {
  body: Buffer.alloc(0),
  authorization: undefined,
  idempotencyKey: undefined,
  contentType: undefined,
  contentEncoding: undefined,
  fault: undefined,
};

/** A connection before its first request: no sandbox is known, and so it is one of the mock's own world. */
export interface Handshake {
  readonly effect: Effect | undefined;
  /** Undefined: no fault triggered, or nothing is recorded. */
  readonly record: JournalRecord | undefined;
}

/** The fault that a new connection meets. Its record has ended once `ended` was called. */
export function meetHandshake(service: Service): Handshake {
  const { faults } = service;
  if (faults.rules().length === 0) return { effect: undefined, record: undefined };
  const id = nextId(service);
  const use = faults.take({ requestId: id }, 'handshake');
  if (use === undefined) return { effect: undefined, record: undefined };
  const record = beginRecord(service, id);
  record?.reached('handshake');
  record?.triggered({ rule: use.id, fault: use.rule.words.fault, phase: 'handshake' });
  return { effect: use.rule.effect(occasionOf(service, 'handshake', id)), record };
}

/** A handshake that the client broke off, or that could not be read. */
export function recordFailure(service: Service, error: NodeJS.ErrnoException): void {
  // Someone who only looks whether the port is open is no news.
  if (error.code === 'ECONNRESET') return;
  beginRecord(service, nextId(service))?.ended('client-gone', 0);
  service.log(`a TLS handshake failed: ${reasonOf(error)}`);
}

function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (code === 'ERR_SSL_HTTP_REQUEST')
    return 'the client spoke HTTP without TLS; the base URL begins with https://';
  if (code.endsWith('_UNKNOWN_CA')) return 'the client does not trust the certificate';
  return code || message;
}

function beginRecord({ journal }: Service, requestId: string): JournalRecord | undefined {
  const received = { ...NOTHING, method: 'TLS', url: 'handshake', rawHeaders: [] };
  return journal?.begin({ ...received, requestId, isRequest: false });
}

/** Drawn from the seed, as the ID of a request is. */
function nextId({ seed, occurrences }: Service): string {
  return identify(seed, occurrences, { ...NOTHING, method: 'TLS', url: '' }).requestId;
}
