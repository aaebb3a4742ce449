import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Pace } from '../../../suites/kit/model/run.ts';
import { UsageError } from '../terminal/exit.ts';

/** The options of a command that say how its requests get to the target. */
export interface NetworkFlags {
  readonly proxy?: string;
  readonly noProxy?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly certKey?: string;
  readonly http2?: boolean;
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000 };

/** Parses a rate: `5/s`, `60/m`. */
export function paceOf(text: string): Pace {
  const [, count, unit = ''] = /^(\d{1,6})\/([sm])$/.exec(text) ?? [];
  const perMs = UNITS[unit];
  if (perMs !== undefined && Number(count) > 0) return { requests: Number(count), perMs };
  throw new InvalidArgumentError('It must be N/s or N/m, such as 5/s or 60/m.');
}

const GROUP = 'Network (docs/network.md):';

/** How a command gets to its target. */
export function addNetworkOptions(command: Command): Command {
  const options = [
    new Option('--proxy <url>', 'send through this proxy (default: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY)'),
    plain('--no-proxy <hosts>', 'hosts that are reached without a proxy (default: NO_PROXY)'),
    new Option('--ca <file>', 'certificates of authorities to trust beside the usual ones (PEM)'),
    new Option('--cert <file>', 'certificate of the client (PEM); see CHAT_CERT_PASSPHRASE'),
    new Option('--cert-key <file>', 'private key of --cert, unless that file holds it (PEM)'),
    new Option('--http2', 'speak HTTP/2 where the target offers it'),
  ];
  for (const option of options) command.addOption(option.helpGroup(GROUP));
  return command;
}

/** An option of this name that takes a value: commander would make it the opposite of another. */
function plain(flags: string, description: string): Option {
  const option = new Option(flags, description);
  option.negate = false;
  return option;
}

/** @throws {UsageError} Given an option without that which it is for. */
export function rejectNetworkFlags(flags: NetworkFlags, needed: string): void {
  const { proxy, noProxy, ca, cert, certKey, http2 } = flags;
  const given = { proxy, 'no-proxy': noProxy, ca, cert, 'cert-key': certKey, http2 };
  const [name] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new UsageError(`--${name} requires ${needed}`);
}
