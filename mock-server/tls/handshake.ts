import { occasionOf } from '../chat/exchange.ts';
import { identify } from '../chat/identity.ts';
import type { Service } from '../chat/service.ts';
import type { Effect } from '../faults/fault.ts';
import type { JournalRecord } from '../journal/journal.ts';

const NOTHING = {
  method: 'TLS',
  body: Buffer.alloc(0),
  authorization: undefined,
  idempotencyKey: undefined,
  contentType: undefined,
  contentEncoding: undefined,
  fault: undefined,
};

/** Why handshakes fail, by how Node's code ends. */
const REASONS = [
  ['ERR_SSL_HTTP_REQUEST', 'the client spoke HTTP without TLS; the base URL begins with https://'],
  ['_UNKNOWN_CA', 'the client does not trust the certificate'],
] as const;

/** What happens to a connection before its first request: no sandbox is known, and so it is one of the mock's own world. */
interface Handshake {
  /** Absent: no fault. */
  readonly effect?: Effect;
  /** Absent: no fault triggered, or nothing is recorded. */
  readonly record?: JournalRecord | undefined;
}

/** The fault that a new connection meets. Its record has ended once `ended` was called. */
export function meetHandshake(service: Service): Handshake {
  const { faults } = service;
  if (faults.rules().length === 0) return {};
  const requestId = nextId(service);
  const use = faults.take({ requestId }, 'handshake');
  if (use === undefined) return {};
  const record = beginRecord(service, requestId);
  record?.reached('handshake');
  record?.triggered({ rule: use.id, fault: use.rule.words.fault, phase: 'handshake' });
  return { effect: use.rule.effect(occasionOf(service, 'handshake', requestId)), record };
}

/** A handshake that the client broke off, or that could not be read. */
export function recordFailure(service: Service, { code = '', message }: NodeJS.ErrnoException): void {
  // Someone who only looks whether the port is open is no news.
  if (code === 'ECONNRESET') return;
  beginRecord(service, nextId(service))?.ended('client-gone', 0);
  const reason = REASONS.find(([ending]) => code.endsWith(ending))?.[1] ?? (code || message);
  service.log(`a TLS handshake failed: ${reason}`);
}

function beginRecord({ journal }: Service, requestId: string): JournalRecord | undefined {
  return journal?.begin({ ...NOTHING, url: 'handshake', rawHeaders: [], requestId, isRequest: false });
}

/** Drawn from the seed, as the ID of a request is. */
function nextId({ seed, occurrences }: Service): string {
  return identify(seed, occurrences, { ...NOTHING, url: '' }).requestId;
}
