import { X509Certificate } from 'node:crypto';
import { SECRET_VARIABLES } from '../../../suites/engine/model/exchange.ts';
import type { Network, Proxies, TlsFiles } from '../../../suites/engine/model/network.ts';
import { asError } from '../../../suites/engine/model/ruling.ts';
import { errorCode, inFile, readText } from '../../../suites/engine/text/read-json-file.ts';
import { UsageError } from '../terminal/terminal.ts';
import type { CheckFlags, NETWORK_OPTIONS } from './check-table.ts';
import { readSecret, secretSource } from './secrets.ts';

/** How the requests of a command get to its target. */
type NetworkFlags = Pick<CheckFlags, keyof typeof NETWORK_OPTIONS | 'proxyAuth'>;

/**
 * How requests get to the URLs of a run; undefined where nothing is said about it.
 * @throws {UsageError} Given a file that cannot be used, or options that contradict each other; no message shows a secret.
 */
export async function resolveNetwork(flags: NetworkFlags): Promise<Network | undefined> {
  const proxies = proxiesOf(flags);
  const tls = tlsOf(flags);
  if (tls !== undefined) await rejectBadFiles(tls);
  if (proxies === undefined && tls === undefined) return undefined;
  return { proxies, tls };
}

/** Either spelling; the lower case first, as in other programs. */
function variable(name: string): string | undefined {
  return (process.env[name.toLowerCase()] ?? process.env[name])?.trim() || undefined;
}

function proxiesOf(flags: NetworkFlags): Proxies | undefined {
  const except = flags.noProxy ?? variable('NO_PROXY') ?? '';
  const credentials = readSecret(flags, 'proxyAuth') ?? '';
  const place = secretSource(flags, 'proxyAuth').from;
  const login = 'env' in place ? place.env : place.file;
  const from = (source: string, text = variable(source)): string | undefined =>
    text === undefined ? undefined : withCredentials(proxyUrl(text, source, login), credentials);
  const own = flags.proxy === undefined ? undefined : from('--proxy', flags.proxy);
  const http = own ?? from('HTTP_PROXY') ?? from('ALL_PROXY');
  const https = own ?? from('HTTPS_PROXY') ?? from('ALL_PROXY');
  if (http === undefined && https === undefined) return undefined;
  const loginAt = login === SECRET_VARIABLES.proxyAuth ? undefined : login;
  return { http, https, except, forLoopback: own !== undefined, login: loginAt };
}

function withCredentials(url: URL, credentials: string): string {
  if (url.username === '' && credentials !== '') {
    const [user = '', ...password] = credentials.split(':');
    url.username = encodeURIComponent(user);
    url.password = encodeURIComponent(password.join(':'));
  }
  return url.href;
}

/** `source`: where it comes from. Its credentials are secrets, so no message shows it. */
function proxyUrl(text: string, source: string, login: string): URL {
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(whole))
    throw new UsageError(`${source} is not the URL of a proxy, such as http://host:3128`);
  const url = new URL(whole);
  if (url.hostname === '' || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${source} must begin with http:// or https://`);
  if (source === '--proxy' && url.username + url.password !== '')
    throw new UsageError(
      `--proxy must not contain credentials, which other users can see: set ${login} to USER:PASSWORD`,
    );
  return url;
}

function tlsOf({ ca, cert, certKey }: NetworkFlags): TlsFiles | undefined {
  if (certKey !== undefined && cert === undefined)
    throw new UsageError('--cert-key requires --cert: the certificate that it belongs to');
  if (ca === undefined && cert === undefined) return undefined;
  const own = textOf(cert, '--cert');
  return {
    ca: textOf(ca, '--ca'),
    cert: own,
    key: textOf(certKey, '--cert-key') ?? own,
    files: { ca, cert: cert === undefined ? undefined : { file: cert }, certKey },
  };
}

function textOf(file: string | undefined, flag: string): string | undefined {
  if (file === undefined) return undefined;
  const text = inFile(
    () => readText(file),
    (error) => `cannot read ${flag} ${file} (${errorCode(error)})`,
  );
  // TLS takes an empty text for one that is absent.
  if (text === '') throw new UsageError(`${flag} ${file} is empty`);
  return text;
}

/** TLS itself leaves out authorities that it cannot read. */
async function rejectBadFiles({ ca, files = {}, ...client }: TlsFiles): Promise<void> {
  const { secureContextOf } = await import('../../../suites/engine/network/connection-pool.ts');
  inFile(
    () => ca === undefined || new X509Certificate(ca),
    (error) => `--ca ${files.ca}: no certificate (PEM) can be read from it (${asError(error).message})`,
  );
  inFile(
    () => secureContextOf(client),
    (error) =>
      `--cert ${files.cert?.file} cannot be used (${asError(error).message}): it must be PEM, with its private key in the same file or in --cert-key, without a passphrase`,
  );
}
