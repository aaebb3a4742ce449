import { headerFromEnvironment } from '../../../suites/kit/evidence/curl-line.ts';
import { shellWord } from '../../../suites/kit/evidence/shell-text.ts';
import type { Pace } from '../../../suites/kit/model/run.ts';
import type { CheckFlags } from '../options/check-flags.ts';

type Given = readonly [string, string | number | boolean | undefined];

/** The command that makes such a run of the same target again, with the same seed, without what selects the checks. */
export function againCommand(flags: CheckFlags, seed: number): string {
  const options: readonly Given[] = [
    ['--config', flags.config === false ? undefined : flags.config],
    ['--no-config', flags.config === false],
    ['--target', flags.target],
    ['--base-url', flags.baseUrl],
    ['--mock', flags.mock === true],
    ['--control-url', flags.controlUrl],
    ['--start', flags.start],
    ['--wait', flags.wait],
    ['--api-key-file', flags.apiKeyFile],
    ['--second-api-key-file', flags.secondApiKeyFile],
    ['--unscoped-api-key-file', flags.unscopedApiKeyFile],
    ['--control-token-file', flags.controlTokenFile],
    ...networkWords(flags),
    ['--profile', flags.profile],
    ['--checks', flags.checks],
    ['--allow', flags.allow?.join(',')],
    ['--tier', flags.tier],
    ['--runs', flags.runs],
    ['--max-time', flags.maxTime],
    ['--max-output-tokens', flags.maxOutputTokens],
    ['--seed', seed],
  ];
  const headers = (flags.header ?? []).flatMap((header) => ['--header', withoutValue(header)]);
  const given = options.flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [name] : [name, shellWord(String(value))];
  });
  return [invocation(), ...headers, ...given].join(' ');
}

/** How the user calls this command: through the npm script of this project, or by its name. */
export function invocation(): string {
  return process.env['npm_lifecycle_event'] === 'conformance' ? 'npm run conformance --' : 'chat-conformance';
}

function networkWords(flags: CheckFlags): readonly Given[] {
  return [
    ['--proxy', flags.proxy],
    ['--no-proxy', flags.noProxy],
    ['--ca', flags.ca],
    ['--cert', flags.cert],
    ['--cert-key', flags.certKey],
    ['--http2', flags.http2],
    ['--pace', flags.pace === undefined ? undefined : paceText(flags.pace)],
  ];
}

/** As the option is given. */
function paceText({ requests, perMs }: Pace): string {
  return `${requests}/${perMs === 1000 ? 's' : 'm'}`;
}

/** A header may hold a secret, so only its name is shown, or the file it is in. */
function withoutValue(header: string): string {
  if (/^[^:]*:\s*@/.test(header)) return shellWord(header);
  return headerFromEnvironment(header.split(':', 1)[0]?.trim() ?? '');
}
