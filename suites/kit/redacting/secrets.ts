import type { Secrets } from '../../../fixtures/credentials/redact-secrets.ts';
import { isSecretName } from '../../../fixtures/credentials/secret-names.ts';
import type { Credential } from '../model/exchange.ts';
import type { Network } from '../model/network.ts';
import type { Keys, Target } from '../model/run.ts';

/** Shorter values of headers, passwords and changed keys occur in texts by chance. */
const SHORTEST = 8;

/** Every secret of a target: its keys, the token of its control URL, its headers with secrets. */
export function secretsOf(
  { keys, headers, network }: Pick<Target, 'keys' | 'headers' | 'network'>,
  controlToken: string | undefined,
): Secrets {
  const all = { ...keys, control: controlToken, ...secretHeaders(headers), ...secretsOfNetwork(network) };
  const named = Object.entries(all).flatMap(([name, secret]) =>
    secret === undefined || secret === '' ? [] : [[secret, `[key:${name}]`] as const],
  );
  // Of two names of one secret the first is shown.
  return new Map(named.toReversed());
}

/** Answers repeat the values of other headers for their own reasons. */
function secretHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const secret = Object.entries(headers).filter(
    ([name, value]) => isSecretName(name) && value.length >= SHORTEST,
  );
  return Object.fromEntries(secret.map(([name, value]) => [`header ${name}`, value]));
}

/** The password of each proxy, and how it is sent; the passphrase of the client's key. */
function secretsOfNetwork({ proxies, tls }: Network = {}): Readonly<Record<string, string>> {
  const urls = [...new Set([proxies?.http, proxies?.https])].filter((url) => url !== undefined);
  const named = urls.flatMap((url, nth) => {
    const { username, password } = new URL(url);
    if (password.length < SHORTEST) return [];
    const [user, plain] = [username, password].map(decodeURIComponent);
    const sent = Buffer.from(`${user}:${plain}`).toString('base64');
    const name = nth === 0 ? 'proxy' : `proxy ${nth + 1}`;
    return [
      [name, plain],
      [`${name} authorization`, sent],
    ];
  });
  const { passphrase = '' } = tls ?? {};
  const own = passphrase.length < SHORTEST ? [] : [['passphrase', passphrase]];
  return Object.fromEntries([...named, ...own]);
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
