import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { ENDPOINTS, HEADERS } from '../../../fixtures/chats/wire.ts';
import {
  type Credential,
  type Exchange,
  type ForgedCredential,
  type SentRequest,
  placeOfSecret,
  type SecretPlace,
  type SecretPlaces,
  type SecretSetting,
} from '../model/exchange.ts';
import type { RecordedWay } from '../model/journal.ts';
import { addressOf } from '../model/network.ts';
import { textAroundKey } from './secrets.ts';
import { shellText, shellWord } from './shell-text.ts';

const LONGEST_ARGUMENT = 20_000;

/** Where a request went and how, and the names of the headers that the run added to it. */
export interface SentTo {
  readonly baseUrl: string;
  readonly headers: readonly string[];
  readonly way?: RecordedWay;
  readonly secrets?: SecretPlaces;
}

/**
 * A line that sends exactly the same bytes again, with the key from where the run had it, under another Idempotency-Key.
 * Every POSIX shell and fish read it in the same way: it quotes for both, and the only command in it reads a secret.
 */
export function curlLine(
  { baseUrl, headers: added, way, secrets }: SentTo,
  { id, request }: CurledExchange,
): string {
  const words = ['curl', '-sS', ...(request.method === 'GET' ? [] : ['-X', shellWord(request.method)])];
  if (request.headers['accept-encoding'] !== undefined) words.push('--compressed');
  const { origin, path } = addressOf(baseUrl);
  words.push(...wayWords(way, secrets));
  const url = origin + path + request.path;
  // curl would make several addresses of one.
  if (/[[\]{}]/.test(url)) words.push('--globoff');
  words.push(shellText(url) + query(request.credential, secrets));
  words.push(...authorization(request.credential, secrets), ...headers(id, request));
  words.push(...added.flatMap((name) => ['-H', headerInShell(name, secrets)]));
  if (request.body === undefined) return words.join(' ');
  const text = Buffer.from(request.body).toString('utf8');
  if (isUtf8(request.body) && !text.includes('\0') && text.length <= LONGEST_ARGUMENT) {
    return [...words, '--data-raw', shellText(text)].join(' ');
  }
  const encoded = Buffer.from(request.body).toString('base64');
  return `printf %s ${encoded} | base64 -d | ${[...words, '--data-binary', '@-'].join(' ')}`;
}

type CurledExchange = Pick<Exchange, 'id' | 'request'>;

/** What gets curl there too. */
function wayWords(
  { proxy, ca, cert, certKey }: RecordedWay = {},
  secrets: SecretPlaces | undefined,
): string[] {
  const words: string[] = [];
  if (ca !== undefined) words.push('--cacert', shellText(ca));
  if (cert !== undefined) {
    // What follows a colon would be a passphrase.
    words.push('--cert', shellText(cert.file.replaceAll(/[\\:]/g, String.raw`\$&`)));
    if (cert.passphrase) words.push('--pass', `"${secretInShell('tls.passphrase', secrets)}"`);
  }
  if (certKey !== undefined) words.push('--key', shellText(certKey));
  if (proxy === 'direct') words.push('--noproxy', "'*'");
  else if (proxy !== undefined) words.push(...proxyWords(proxy, ca));
  if (proxy !== 'direct' && proxy?.credentials === true)
    words.push('--proxy-user', `"${secretInShell('proxyAuth', secrets)}"`);
  return words;
}

function proxyWords(
  { url }: Exclude<RecordedWay['proxy'], 'direct' | undefined>,
  ca: string | undefined,
): string[] {
  const words = ['--proxy', shellText(url.replace(/^socks5:/, 'socks5h:'))];
  if (ca !== undefined && url.startsWith('https:')) words.push('--proxy-cacert', shellText(ca));
  return words;
}

/** What a shell puts the secret in place of, between double quotes. */
function secretInShell(setting: SecretSetting, places?: SecretPlaces): string {
  return inShell(placeOfSecret(setting, places));
}

function inShell(place: SecretPlace): string {
  if ('file' in place) return `$(cat ${shellWord(place.file)})`;
  return /^[A-Za-z_]\w*$/.test(place.env) ? `$${place.env}` : `$(printenv ${shellText(place.env)})`;
}

/** A header whose value may be a secret: the shell takes it from its place, else from a variable named like the header. */
export function headerInShell(name: string, places: SecretPlaces = {}): string {
  const value = inShell(places[`headers.${name}`] ?? { env: name.toUpperCase().replaceAll(/\W/g, '_') });
  return /^[\w.-]+$/.test(name) ? `"${name}: ${value}"` : `${shellText(`${name}: `)}"${value}"`;
}

function authorization(credential: Credential, secrets: SecretPlaces | undefined): string[] {
  switch (credential.kind) {
    case 'none':
      return [];
    case 'key':
      return ['-H', `"Authorization: Bearer ${secretInShell(`keys.${credential.name}`, secrets)}"`];
    case 'forged':
      return forgedHeader(credential, secrets);
  }
}

function forgedHeader(credential: ForgedCredential, secrets: SecretPlaces | undefined): string[] {
  const { elsewhere = { header: 'Authorization' } } = credential;
  return 'header' in elsewhere ? ['-H', forged(`${elsewhere.header}: `, credential, secrets)] : [];
}

/** The query of an address that carries the key. */
function query(credential: Credential, secrets: SecretPlaces | undefined): string {
  if (credential.kind !== 'forged' || credential.elsewhere === undefined) return '';
  return 'query' in credential.elsewhere
    ? forged(`?${credential.elsewhere.query}=`, credential, secrets)
    : '';
}

/** The shell puts the key in where possible; the line never contains a part of a key. */
function forged(before: string, credential: ForgedCredential, secrets: SecretPlaces | undefined): string {
  const [first, ...rest] = textAroundKey(credential) ?? [`<${credential.label}>`];
  return [`${before}${first}`, ...rest]
    .map((text) => (text === '' ? '' : shellText(text)))
    .join(`"${secretInShell('keys.primary', secrets)}"`);
}

function headers(id: string, request: SentRequest): string[] {
  return Object.entries(request.headers).flatMap(([name, value]) => [
    '-H',
    name === HEADERS.idempotencyKey && request.path === ENDPOINTS.chat
      ? shellText(`Idempotency-Key: ${otherKey(id, value)}`)
      : shellText(`${name}: ${value}`),
  ]);
}

/** Another key of the same kind, which no request of the run had; the same for the same exchange. */
function otherKey(id: string, key: string): string {
  const digits = hash('sha256', `${id} ${key}`, 'hex');
  if (!UUID.test(key)) return `${key}-${digits.slice(0, 8)}`;
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(12, 15)}`,
    `8${digits.slice(15, 18)}`,
  ];
  return [...parts, digits.slice(18, 30)].join('-');
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
