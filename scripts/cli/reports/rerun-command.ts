import type { CheckFlags } from '../options/check-flags.ts';
import { quoted } from '../terminal/output.ts';

/** The command that runs one check against the same target again, with the same seed. */
export function rerunCommand(flags: CheckFlags, seed: number, checkId: string): string {
  const options: readonly (readonly [string, string | number | undefined])[] = [
    ['--base-url', flags.baseUrl],
    ['--control-url', flags.controlUrl],
    ['--api-key-file', flags.apiKeyFile],
    ['--profile', flags.profile],
    ...(flags.header ?? []).map((header) => ['--header', withoutValue(header)] as const),
    ['--allow', flags.allow?.join(',')],
    ['--tier', flags.tier],
    ['--runs', flags.runs],
    ['--max-output-tokens', flags.maxOutputTokens],
    ['--seed', seed],
    ['--only', checkId],
  ];
  const given = options.flatMap(([name, value]) =>
    value === undefined ? [] : [name, quoted(String(value))],
  );
  return [invocation(), ...given].join(' ');
}

/** How the user calls this command: through the npm script of this project, or by its name. */
export function invocation(): string {
  return process.env['npm_lifecycle_event'] === 'conformance' ? 'npm run conformance --' : 'chat-conformance';
}

/** A header may hold a secret, so only its name is shown; the user fills in the rest. */
function withoutValue(header: string): string {
  return `${header.split(':', 1)[0]}:…`;
}
