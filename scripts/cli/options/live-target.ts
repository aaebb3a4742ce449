import type { RunOptions } from '../../../suites/kit/model/run.ts';
import type { NetworkFlags } from './network-flags.ts';
import { resolveNetwork } from './network-options.ts';
import { networkEnvironment, type SecretFlags } from './read-secret.ts';
import { readKeys, type TargetChoice } from './target-options.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The service at a base URL, with its keys and the way to it.
 * @throws {UsageError} Given no key, or options that cannot be used.
 */
export async function liveTarget(
  baseUrl: string,
  control: RunOptions['control'],
  flags: NetworkFlags & SecretFlags,
  environment: Environment,
): Promise<TargetChoice> {
  const keys = readKeys(flags, environment);
  const urls = [baseUrl, ...(control === undefined ? [] : [control.url])];
  const network = await resolveNetwork(flags, networkEnvironment(flags, environment), urls);
  return {
    kind: 'live',
    baseUrl,
    keys,
    ...(control !== undefined && { control }),
    ...(network !== undefined && { network }),
  };
}
