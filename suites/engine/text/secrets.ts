import type { Secrets } from '../../../fixtures/credentials/redact-secrets.ts';
import { isSecretName } from '../../../fixtures/credentials/secret-names.ts';
import type { Credential, ForgedCredential } from '../model/exchange.ts';
import type { Keys, Target } from '../model/run.ts';

/** Shorter values of headers, passwords and changed keys occur in texts by chance. */
const SHORTEST = 8;

type Named = readonly [name: string, secret: string];

/** Every secret of a target: its keys, the token of its control URL, its headers with secrets, and what the way to it wants. */
export function secretsOf(target: Pick<Target, 'keys' | 'headers' | 'network'>, controlToken = ''): Secrets {
  const { keys, headers, network = {} } = target;
  const given: readonly Named[] = [...Object.entries(keys), ['control', controlToken]];
  // Answers repeat the values of other headers for their own reasons.
  const inHeaders = Object.entries(headers).filter(([name]) => isSecretName(name));
  const others: readonly Named[] = [
    ...inHeaders.map(([name, value]): Named => [`header ${name}`, value]),
    ...[network.proxies?.http, network.proxies?.https].flatMap(ofProxy),
  ];
  const all = [
    ...given.filter(([, secret]) => secret !== ''),
    ...others.filter(([, secret]) => secret.length >= SHORTEST),
  ];
  // Of two names of one secret the first is shown.
  return new Map(all.toReversed().map(([name, secret]) => [secret, `[key:${name}]`]));
}

function ofProxy(url = 'http://none'): readonly Named[] {
  const [username = '', password = ''] = [new URL(url).username, new URL(url).password].map(
    decodeURIComponent,
  );
  if (password.length < SHORTEST) return [];
  const sent = Buffer.from(`${username}:${password}`).toString('base64');
  return [
    ['proxy', password],
    ['proxy authorization', sent],
  ];
}

/** Two keys without a common character: where both give the same text around them, the text does not depend on the key. */
const STAND_INS = ['First1Key', 'OTHEr2vAluE'] as const;

/** The text before, between and after the whole key in a header; undefined where the key was changed. */
export function textAroundKey({ header }: ForgedCredential): readonly string[] | undefined {
  const [around, others] = STAND_INS.map((key) => header(key).split(key));
  return around?.join() === others?.join() ? around : undefined;
}

/** Shares no word with a key. */
const STAND_IN = '~';

/** The words of a forged credential that are made of the key: a service may say which key it refuses. */
export function changedKeys(credential: Credential | undefined, { primary }: Pick<Keys, 'primary'>): Secrets {
  if (credential?.kind !== 'forged') return new Map();
  const others = new Set(wordsOf(credential.header(STAND_IN)));
  const changed = wordsOf(credential.header(primary)).filter(
    (word) => word.length >= SHORTEST && !others.has(word),
  );
  return new Map(changed.map((word) => [word, '[changed key:primary]']));
}

const wordsOf = (header: string): readonly string[] => header.split(/[\s"]+/);
