import { hash, randomUUID } from 'node:crypto';
import { HEADERS } from '../../../fixtures/chats/chat.ts';
import { type Draft, PRIMARY, type SentRequest } from '../model/exchange.ts';
import { remembering } from '../reading/json.ts';

/** Where a request goes, what it may do and how it is framed: `credential`, the target and the transport say that. */
const SENDERS_HEADER =
  /^(?:authorization|connection|content-length|host|proxy-.*|transfer-encoding|upgrade)$/i;

/**
 * The request of a draft, with a fresh Idempotency-Key where it wants one (IDEM-1).
 * @throws {TypeError} Given a draft that leaves the base URL, or says to whom the request goes.
 */
export function sentRequest(draft: Draft): SentRequest {
  if (!isBelowBaseUrl(draft.path)) throw new TypeError(`no path below a base URL: ${draft.path}`);
  const header = Object.keys(draft.headers ?? {}).find((name) => SENDERS_HEADER.test(name));
  if (header !== undefined) throw new TypeError(`the sender sets the header ${header}: a draft cannot`);
  const key = idempotencyKeyOf(draft);
  return {
    method: draft.method,
    path: draft.path,
    headers: { ...draft.headers, ...(key !== undefined && { [HEADERS.idempotencyKey]: key }) },
    credential: draft.credential ?? PRIMARY,
    body: typeof draft.body === 'string' ? Buffer.from(draft.body) : draft.body,
  };
}

/** Whether it begins with a slash, is spelt as it is sent, and has no empty segment, `.` or `..`, however they are spelt. */
function isBelowBaseUrl(path: string): boolean {
  if (/^(?:\/[\w-]+)+$/.test(path)) return true;
  const { pathname, search } = new URL(`http://target${path.startsWith('/') ? path : '//'}`);
  return pathname + search === path && !pathname.includes('//');
}

function idempotencyKeyOf(draft: Draft): string | undefined {
  const isRead = draft.method === 'GET' || draft.method === 'HEAD';
  const wanted = draft.idempotencyKey ?? (isRead ? 'none' : 'fresh');
  if (wanted === 'none') return undefined;
  if (wanted === 'fresh') return randomUUID();
  return 'made' in wanted ? wanted.made() : wanted.exactly;
}

const ASKED = /"max_(?:output_)?tokens"\s*:\s*(\d+(?:\.\d+)?(?:e\+?\d+)?)/i;

/** The output tokens that a body asks for; 0 when it does not say. */
export function askedOutput(body: Uint8Array | string | undefined): number {
  const text = typeof body === 'string' ? body : latin1(body ?? new Uint8Array());
  const found = ASKED.exec(text);
  return found === null ? 0 : Number(found[1]);
}

/** Without a copy of the bytes. */
export function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/** Equal for drafts whose requests differ only in the value of their Idempotency-Key. */
export const requestFingerprint: (draft: Draft) => string = remembering(fingerprintOf, () => 0);

function fingerprintOf(draft: Draft): string {
  const { method, path, credential = PRIMARY, body = '', idempotencyKey } = draft;
  const keyless = idempotencyKey === 'none' ? ' without a key' : '';
  const head = `${method} ${path} ${JSON.stringify(credential)}${keyless}\n`;
  const whole = typeof body === 'string' ? head + body : Buffer.concat([Buffer.from(head), body]);
  return hash('sha256', whole, 'hex').slice(0, 12);
}
