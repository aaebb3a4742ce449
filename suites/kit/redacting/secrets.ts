import { isSecretName } from '../../../fixtures/credentials/secret-names.ts';
import type { Network } from '../model/network.ts';
import type { Target } from '../model/run.ts';

/** Shorter values occur in texts by chance. */
const SHORTEST_HEADER = 8;

/** Shorter values occur in texts by chance, and nobody but the proxy gets this one. */
const SHORTEST_PASSWORD = 8;

/** Every secret of a target, by its name in reports: its keys, the token of its control URL, its headers with secrets. */
export function secretsOf(
  { keys, headers, network }: Pick<Target, 'keys' | 'headers' | 'network'>,
  controlToken: string | undefined,
): Readonly<Record<string, string>> {
  const all = { ...keys, control: controlToken, ...secretHeaders(headers), ...secretsOfNetwork(network) };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, secret]) =>
      secret === undefined || secret === '' ? [] : [[name, secret]],
    ),
  );
}

/** Answers repeat the values of other headers for their own reasons. */
function secretHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const secret = Object.entries(headers).filter(
    ([name, value]) => isSecretName(name) && value.length >= SHORTEST_HEADER,
  );
  return Object.fromEntries(secret.map(([name, value]) => [`header ${name}`, value]));
}

/** The password of each proxy, and how it is sent; the passphrase of the client's key. */
function secretsOfNetwork({ proxies, tls }: Network = {}): Readonly<Record<string, string>> {
  const urls = [...new Set([proxies?.http, proxies?.https])].filter((url) => url !== undefined);
  const named = urls.flatMap((url, nth) => {
    const { username, password } = new URL(url);
    if (password.length < SHORTEST_PASSWORD) return [];
    const [user, plain] = [username, password].map(decodeURIComponent);
    const sent = Buffer.from(`${user}:${plain}`).toString('base64');
    const name = nth === 0 ? 'proxy' : `proxy ${nth + 1}`;
    return [
      [name, plain],
      [`${name} authorization`, sent],
    ];
  });
  const { passphrase = '' } = tls ?? {};
  const own = passphrase.length < SHORTEST_PASSWORD ? [] : [['passphrase', passphrase]];
  return Object.fromEntries([...named, ...own]);
}
