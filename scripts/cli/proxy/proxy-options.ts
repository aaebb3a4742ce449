import { existsSync, readFileSync } from 'node:fs';
import { tokenProblem } from '../../../mock-server/control/guard.ts';
import { readParts } from '../../../mock-server/world/world-file.ts';
import { shellWord } from '../../../suites/kit/evidence/shell-text.ts';
import type { Network } from '../../../suites/kit/model/network.ts';
import { Recording } from '../../proxy/recording.ts';
import type { Stricter } from '../options/check-flags.ts';
import type { ProxyFlags } from '../options/command-tables.ts';
import { resolveNetwork } from '../options/network-options.ts';
import { readSecret } from '../options/read-secret.ts';
import { baseUrlOf } from '../options/target-options.ts';
import { runFolder } from '../reports/run-folders.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import { prepareFile } from '../terminal/write-file.ts';

export interface ProxyOptions {
  readonly target: string;
  readonly port: number;
  readonly host: string;
  /** The folder of the journal and the reports. */
  readonly report: string;
  /** Whether the folder is one of those that are kept for the latest runs. */
  readonly isUsualFolder: boolean;
  readonly network: Network | undefined;
  /** Undefined: answers are not kept for `mock --world`. */
  readonly recording: Recording | undefined;
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
  const { target, port = 0, host = '127.0.0.1', report, record, failOn, quiet = false } = flags;
  if (target === undefined) throw new UsageError('--target is required: the base URL of the service');
  const baseUrl = baseUrlOf(target, '--target');
  const token = readSecret(flags, 'controlTokenFile', environment);
  const problem = token === undefined ? undefined : tokenProblem(host, token);
  if (problem !== undefined) throw new UsageError(problem);
  return {
    target: baseUrl,
    port,
    host,
    report: report ?? runFolder(0),
    isUsualFolder: report === undefined,
    network: await resolveNetwork(flags, environment),
    recording: record === undefined ? undefined : await openRecording(record),
    token,
    failOn: new Set(failOn),
    quiet,
  };
}

/** Goes on with a file, or begins one. */
async function openRecording(file: string): Promise<Recording> {
  prepareFile(file);
  if (!existsSync(file)) return new Recording(file, undefined, noteLine);
  try {
    const parts = await readParts(file, noteLine);
    const [first = ''] = readFileSync(file, 'utf8').split('\n', 1);
    if (isJson(first)) return new Recording(file, parts, noteLine);
  } catch (error) {
    throw error instanceof Error && error.name === 'JsonFileError' ? new UsageError(error.message) : error;
  }
  throw new UsageError(
    `--record: ${file} has no part of a world in its first line; a world in one piece gets one line by jq -c . ${shellWord(file)} > NEW.ndjson`,
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
