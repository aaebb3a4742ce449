import type { RunOptions } from '../../../suites/kit/model/run.ts';
import type { CheckFlags } from './check-flags.ts';
import { fromEnvironment } from './read-keys.ts';
import { UsageError } from '../terminal/usage-error.ts';

/**
 * Where the target is controlled, with the token of CHAT_CONTROL_TOKEN when there is one; undefined without a URL.
 * @throws {UsageError} Given a URL that is none, that holds a secret, or that belongs to no target.
 */
export function resolveControl(
  { baseUrl, controlUrl }: CheckFlags,
  environment: Readonly<Record<string, string | undefined>>,
): RunOptions['control'] {
  if (controlUrl === undefined) return undefined;
  if (baseUrl === undefined)
    throw new UsageError('--control-url needs --base-url: the mock that comes with it brings its own');
  const token = fromEnvironment('CHAT_CONTROL_TOKEN', environment);
  return { url: controlUrlOf(controlUrl), ...(token !== undefined && { token }) };
}

function controlUrlOf(text: string): string {
  if (!URL.canParse(text))
    throw new UsageError('--control-url is not a URL: it reads like https://host.example/control');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError(`--control-url must begin with http:// or https://, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--control-url must not hold credentials: the token comes from CHAT_CONTROL_TOKEN');
  if (url.search !== '' || url.hash !== '')
    throw new UsageError('--control-url must not have a query or a fragment');
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`;
}
