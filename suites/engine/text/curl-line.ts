import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { ENDPOINTS, HEADERS } from '../../../fixtures/chats/chat.ts';
import { NEAR_MISS_KEYS } from '../../../fixtures/credentials/wrong-credentials.ts';
import type { RecordedWay, RunEntry } from '../model/entry-schema.ts';
import {
  type Credential,
  type Exchange,
  type ForgedCredential,
  type SentRequest,
  placeOfSecret,
  type SecretPlace,
  type SecretPlaces,
} from '../model/exchange.ts';
import { addressOf } from '../model/network.ts';
import { printable } from './printable.ts';
import { textAroundKey } from './secrets.ts';
import { shellText, shellWord } from './shell-text.ts';

const LONGEST_ARGUMENT = 20_000;

/** Where a request went and how, and the names of the headers that the run added to it. */
export type SentTo = Pick<RunEntry['target'], 'baseUrl' | 'headers' | 'way' | 'secrets'>;

/**
 * A line that sends exactly the same bytes again, with the key from where the run had it, under another Idempotency-Key.
 * Every POSIX shell and fish read it in the same way: it quotes for both, and the only command in it reads a secret.
 */
export function curlLine(to: SentTo, { request }: Pick<Exchange, 'request'>): string {
  const { baseUrl, headers: added, way, secrets } = to;
  const { method, credential, body } = request;
  const { origin, path } = addressOf(baseUrl);
  const url = origin + path + request.path;
  const { query = '', header } = carrying(credential, secrets);
  const words = [
    'curl -sS',
    ...(method === 'GET' || method === 'HEAD' ? [] : ['-X', shellWord(method)]),
    // With -X, curl would wait for a body.
    ...(method === 'HEAD' ? ['--head'] : []),
    ...(request.headers['accept-encoding'] === undefined ? [] : ['--compressed']),
    ...wayWords(way),
    // curl would make several addresses of one.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    shellText(url) + query,
    ...(header === undefined ? [] : ['-H', header]),
    ...headers(request).flatMap((text) => ['-H', shellText(text)]),
    ...added.flatMap((name) => ['-H', headerInShell(name, secrets)]),
  ];
  if (body === undefined) return words.join(' ');
  const text = Buffer.from(body).toString('utf8');
  // A report shows what nobody can see as escapes, which would be other bytes.
  if (isUtf8(body) && printable(text, Infinity) === text && text.length <= LONGEST_ARGUMENT) {
    return [...words, '--data-raw', shellText(text)].join(' ');
  }
  const encoded = Buffer.from(body).toString('base64');
  return `printf %s ${encoded} | base64 -d | ${[...words, '--data-binary', '@-'].join(' ')}`;
}

/** What curl needs for TLS too; it finds a proxy in the same variables. */
function wayWords({ ca, cert, certKey }: RecordedWay = {}): readonly string[] {
  const words = ca === undefined ? [] : ['--cacert', shellText(ca)];
  // What follows a colon would be a passphrase.
  if (cert !== undefined) words.push('--cert', shellText(cert.file.replaceAll(/[\\:]/g, String.raw`\$&`)));
  if (certKey !== undefined) words.push('--key', shellText(certKey));
  return words;
}

/** What a shell puts the secret in place of, between double quotes. */
function inShell(place: SecretPlace): string {
  return 'env' in place && /^[A-Za-z_]\w*$/.test(place.env) ? `$${place.env}` : `$(${printed(place)})`;
}

function printed(place: SecretPlace): string {
  return 'file' in place ? `cat ${shellWord(place.file)}` : `printenv ${shellText(place.env)}`;
}

/** A header whose value may be a secret: the shell takes it from its place, else from a variable named like the header. */
export function headerInShell(name: string, places: SecretPlaces = {}): string {
  const value = inShell(places[`headers.${name}`] ?? { env: name.toUpperCase().replaceAll(/\W/g, '_') });
  return /^[\w.-]+$/.test(name) ? `"${name}: ${value}"` : `${shellText(`${name}: `)}"${value}"`;
}

/** The end of an address, or the header, that carries a credential. */
function carrying(credential: Credential, secrets: SecretPlaces | undefined) {
  if (credential.kind === 'none') return {};
  if (credential.kind === 'key') {
    const key = inShell(placeOfSecret(`keys.${credential.name}`, secrets));
    return { header: `"Authorization: Bearer ${key}"` };
  }
  const { elsewhere = { header: 'Authorization' } } = credential;
  return 'query' in elsewhere
    ? { query: forged(`?${elsewhere.query}=`, credential, secrets) }
    : { header: forged(`${elsewhere.header}: `, credential, secrets) };
}

/** By label: a journal keeps no changed key. */
const FILTERS = new Map(NEAR_MISS_KEYS.map(({ label, filter }) => [label, filter]));

/** Why the line cannot send this credential; undefined where it can. */
export function unmadeKey(credential: Credential): string | undefined {
  if (credential.kind !== 'forged' || FILTERS.get(credential.label) !== undefined) return undefined;
  if (textAroundKey(credential) !== undefined) return undefined;
  return `a shell cannot make ${credential.label}: put it in place of <${credential.label}>`;
}

/** The shell makes the header of the key where possible; the line never contains a part of a key. */
function forged(before: string, credential: ForgedCredential, secrets: SecretPlaces | undefined): string {
  const around = textAroundKey(credential);
  const filter = FILTERS.get(credential.label);
  if (around === undefined && filter !== undefined)
    return `${shellText(`${before}Bearer `)}"$(${printed(placeOfSecret('keys.primary', secrets))} | ${filter})"`;
  const [first, ...rest] = around ?? [`<${credential.label}>`];
  return [`${before}${first}`, ...rest]
    .map((text) => (text === '' ? '' : shellText(text)))
    .join(`"${inShell(placeOfSecret('keys.primary', secrets))}"`);
}

function headers(request: SentRequest): readonly string[] {
  return Object.entries(request.headers).map(([name, value]) =>
    name === HEADERS.idempotencyKey && request.path === ENDPOINTS.chat
      ? `Idempotency-Key: ${otherKey(value)}`
      : `${name}: ${value}`,
  );
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Another key of the same kind, which no request of the run had: equal ones stay equal, and those alike but for case stay so. */
function otherKey(key: string): string {
  const digits = hash('sha256', key.toLowerCase(), 'hex').slice(0, 8);
  return UUID.test(key) ? digits + key.slice(digits.length) : `${key}-${digits}`;
}
