import { UsageError } from '../terminal/usage-error.ts';

function parsed(text: string): URL {
  if (URL.canParse(text)) return new URL(text);
  throw new UsageError('--base-url is not a URL: it reads like https://host.example/v1');
}

/**
 * The base URL without a slash at its end.
 * @throws {UsageError} Unless it is http or https, ends in the version segment (CALL-7), and holds no secret.
 */
export function baseUrlOf(text: string): string {
  const url = parsed(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`--base-url must begin with http:// or https://, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('--base-url must not hold credentials: keys come from CHAT_API_KEY');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError('--base-url must not have a query or a fragment');
  }
  const path = url.pathname.replace(/\/$/, '');
  if (path.endsWith('/v1')) return `${url.origin}${path}`;
  throw new UsageError(`--base-url must end in the version segment: did you mean ${url.origin}${path}/v1?`);
}
