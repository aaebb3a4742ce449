import { ProxyRefusal } from './connection-pool.ts';
import { placeOfUrl, type Route } from './route.ts';

/** Why a proxy opened no way to the target. */
type Refusal =
  | 'wants-credentials'
  | 'refuses-credentials'
  | 'refuses-target'
  | 'cannot-reach-target'
  | 'speaks-no-socks';

/** By the codes of undici's errors: those of RFC 1928 are in some of them. */
const OF_SOCKS: Readonly<Record<string, Refusal>> = {
  UND_ERR_SOCKS5_AUTH_REJECTED: 'wants-credentials',
  UND_ERR_SOCKS5_AUTH_METHOD: 'wants-credentials',
  UND_ERR_SOCKS5_AUTH_FAILED: 'refuses-credentials',
  UND_ERR_SOCKS5_REPLY_2: 'refuses-target',
  UND_ERR_SOCKS5_VERSION: 'speaks-no-socks',
  UND_ERR_SOCKS5_AUTH_VERSION: 'speaks-no-socks',
  UND_ERR_SOCKS5_REPLY_VERSION: 'speaks-no-socks',
  UND_ERR_SOCKS5_ADDR_TYPE: 'speaks-no-socks',
};

/** What an error says of a proxy's refusal, in words that differ by kind; undefined where it says nothing of one. */
export function proxyRefusal(error: Error, code: string, route: Route): string | undefined {
  if (!('proxy' in route)) return undefined;
  const { proxy, origin } = route;
  const status = refusedStatus(error);
  const refusal = status === undefined ? ofSocks(code) : ofStatus(status, proxy);
  if (refusal === undefined) return undefined;
  const who = `the proxy ${placeOfUrl(proxy)}`;
  const said = status ?? 'SOCKS';
  const target = placeOfUrl(origin);
  switch (refusal) {
    case 'wants-credentials':
      return `${who} wants credentials (${said}): set CHAT_PROXY_AUTH to USER:PASSWORD`;
    case 'refuses-credentials':
      return `${who} refused its credentials (${said}): check CHAT_PROXY_AUTH, or those in HTTPS_PROXY, HTTP_PROXY or ALL_PROXY`;
    case 'refuses-target':
      return `${who} refuses ${route.kind === 'tunnel' ? 'a tunnel to ' : ''}${target} (${said}): ask for leave, or go past it with --no-proxy ${origin.hostname}`;
    case 'cannot-reach-target':
      return `${who} could not reach ${target} (${said}): is the base URL right, and may the proxy connect to it?`;
    case 'speaks-no-socks':
      return `${who} does not speak SOCKS5: does its URL begin with http://?`;
  }
}

/** The status with which a proxy refused; undefined where it did not. */
export function refusedStatus(error: Error): number | undefined {
  if (error instanceof ProxyRefusal) return error.status;
  // The message of undici, where the proxy forwards.
  return error.message.includes('Proxy Authentication Required (407)') ? 407 : undefined;
}

/** Some answer 401 to credentials that are wrong. */
function ofStatus(status: number, { username }: URL): Refusal {
  if (status === 407 || status === 401) return username === '' ? 'wants-credentials' : 'refuses-credentials';
  return status >= 500 ? 'cannot-reach-target' : 'refuses-target';
}

function ofSocks(code: string): Refusal | undefined {
  if (Object.hasOwn(OF_SOCKS, code)) return OF_SOCKS[code];
  return code.startsWith('UND_ERR_SOCKS5_REPLY_') ? 'cannot-reach-target' : undefined;
}
