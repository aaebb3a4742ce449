import { tokenProblem } from '../../../mock-server/control/guard.ts';
import type { Network } from '../../../suites/kit/model/network.ts';
import type { Stricter } from '../options/check-flags.ts';
import type { NetworkFlags } from '../options/network-flags.ts';
import { resolveNetwork } from '../options/network-options.ts';
import { readSecret } from '../options/read-secret.ts';
import { baseUrlOf } from '../options/target-options.ts';
import { runFolder } from '../reports/run-folders.ts';
import { UsageError } from '../terminal/exit.ts';

/** The flags of `chat-conformance proxy` as they were given. */
export interface ProxyFlags extends NetworkFlags {
  readonly target?: string;
  readonly port?: number;
  readonly host?: string;
  readonly report?: string;
  readonly controlTokenFile?: string;
  readonly failOn?: readonly Stricter[];
  readonly quiet?: boolean;
}

export interface ProxyOptions {
  readonly target: string;
  readonly port: number;
  readonly host: string;
  /** The folder of the journal and the reports. */
  readonly report: string;
  /** Whether the folder is one of those that are kept for the latest runs. */
  readonly isUsualFolder: boolean;
  readonly network: Network | undefined;
  /** Undefined: the control path is for this machine only. */
  readonly token: string | undefined;
  readonly failOn: ReadonlySet<Stricter>;
  readonly quiet: boolean;
}

/** @throws {UsageError} Given no target, or an option that cannot be used. */
export async function resolveProxyOptions(
  flags: ProxyFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ProxyOptions> {
  const { target, port = 0, host = '127.0.0.1', report, failOn, quiet = false } = flags;
  if (target === undefined) throw new UsageError('--target is required: the base URL of the service');
  const baseUrl = baseUrlOf(target, '--target');
  const token = readSecret(flags, 'control', environment);
  const problem = token === undefined ? undefined : tokenProblem(host, token);
  if (problem !== undefined) throw new UsageError(problem);
  return {
    target: baseUrl,
    port,
    host,
    report: report ?? runFolder(0),
    isUsualFolder: report === undefined,
    network: await resolveNetwork(flags, environment),
    token,
    failOn: new Set(failOn),
    quiet,
  };
}
