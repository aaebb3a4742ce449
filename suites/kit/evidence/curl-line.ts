import { isUtf8 } from 'node:buffer';
import { ENDPOINTS, HEADERS } from '../../../fixtures/chats/wire.ts';
import {
  type Credential,
  type ForgedCredential,
  type SentRequest,
  KEY_VARIABLES,
} from '../model/exchange.ts';

const LONGEST_ARGUMENT = 20_000;

/** A line for a POSIX shell that sends exactly the same bytes again, with the key from the environment. */
export function curlLine(baseUrl: string, request: SentRequest): string {
  const words = ['curl', '-sS', ...(request.method === 'GET' ? [] : ['-X', request.method])];
  words.push(quote(baseUrl + request.path) + query(request.credential));
  words.push(...authorization(request.credential), ...headers(request));
  if (request.body === undefined) return words.join(' ');
  const text = Buffer.from(request.body).toString('utf8');
  if (isUtf8(request.body) && !text.includes('\0') && text.length <= LONGEST_ARGUMENT) {
    return [...words, '--data-raw', quote(text)].join(' ');
  }
  const encoded = Buffer.from(request.body).toString('base64');
  return `printf %s ${encoded} | base64 -d | ${[...words, '--data-binary', '@-'].join(' ')}`;
}

function authorization(credential: Credential): string[] {
  switch (credential.kind) {
    case 'none':
      return [];
    case 'key':
      return ['-H', `"Authorization: Bearer $${KEY_VARIABLES[credential.name]}"`];
    case 'forged':
      return forgedHeader(credential);
  }
}

function forgedHeader(credential: ForgedCredential): string[] {
  const { elsewhere = { header: 'Authorization' } } = credential;
  return 'header' in elsewhere ? ['-H', forged(`${elsewhere.header}: `, credential)] : [];
}

/** The query of an address that carries the key. */
function query(credential: Credential): string {
  if (credential.kind !== 'forged' || credential.elsewhere === undefined) return '';
  return 'query' in credential.elsewhere ? forged(`?${credential.elsewhere.query}=`, credential) : '';
}

/** The shell expands the key from its variable where possible; the line never contains a part of a key. */
function forged(before: string, { label, header }: ForgedCredential): string {
  const [one, other] = STAND_INS.map(header);
  if (one === other) return quote(`${before}${one}`);
  if (!one?.includes(STAND_INS[0])) return quote(`${before}<${label}>`);
  return `"${before}${one.replaceAll(STAND_INS[0], `$\{${KEY_VARIABLES.primary}}`)}"`;
}

/** Two keys without a common character: a header that is the same for both depends on neither. */
const STAND_INS = ['First1Key', 'OTHEr2vAluE'] as const;

function headers(request: SentRequest): string[] {
  return Object.entries(request.headers).flatMap(([name, value]) => [
    '-H',
    name === HEADERS.idempotencyKey && request.path === ENDPOINTS.chat
      ? `"Idempotency-Key: $(uuidgen)"`
      : quote(`${name}: ${value}`),
  ]);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
