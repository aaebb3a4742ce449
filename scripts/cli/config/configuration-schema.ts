import { z } from 'zod';
import { isSecretHeader } from '../../../fixtures/credentials/secret-names.ts';
import { STRICTER } from '../../../suites/kit/model/run.ts';
import { PERMISSIONS, TIER_NAMES, LARGEST_SEED } from '../options/check-flags.ts';
import { DURATION, MAX_TIME_FORM } from '../options/max-time.ts';
import { NETWORK_SETTINGS, NEVER_TEXT, secret } from './network-settings.ts';

const header = z
  .union([z.string().min(1), secret], { error: 'must be text, { "env": "NAME" } or { "file": "PATH" }' })
  .describe('Text, or where the secret is.');

const headers = z
  .record(
    z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'must be the name of a header' }),
    header,
  )
  .superRefine((values, context) => {
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === 'string' && isSecretHeader(name, value))
        context.addIssue({ code: 'custom', path: [name], message: NEVER_TEXT, input: value });
    }
  });

const count = z.int().nonnegative();
const names = z.array(z.string().min(1));
const path = z.string().min(1);

/** What can stand at the top, for every target, and in each target. Each setting is the flag of the same meaning. */
const SETTINGS = {
  baseUrl: z.string().describe('Service to check; ends in /v1. {port}: a free port, with "start".'),
  controlUrl: z.string().describe('Control API that arms faults and reads the workspace.'),
  keys: z
    .strictObject({
      primary: secret.exactOptional(),
      second: secret.exactOptional().describe('A key with other models.'),
      unscoped: secret.exactOptional().describe('A key without the inference scope.'),
    })
    .describe('The keys of the target. Absent: CHAT_API_KEY, CHAT_SECOND_API_KEY, CHAT_UNSCOPED_API_KEY.'),
  controlToken: secret.describe('Bearer token of controlUrl. Absent: CHAT_CONTROL_TOKEN.'),
  headers: headers.describe('Headers of every request.'),
  tier: z.enum(TIER_NAMES).describe('How much to send.'),
  runs: z
    .union([z.enum(['few', 'fewest']), count], { error: 'must be few, fewest or a number' })
    .describe('Random inputs per kind of request.'),
  caps: z
    .strictObject({
      requests: z.int().positive().exactOptional(),
      completions: count.exactOptional(),
      outputTokens: z.int().positive().exactOptional(),
    })
    .describe('Limits of a run: requests, completions, and output tokens of one request.'),
  maxFailures: z.int().positive().describe('Send nothing more once so many checks have failed.'),
  concurrency: z.int().min(1).max(1000).describe('Requests in flight at once.'),
  timeout: z.int().positive().describe('Milliseconds to wait for an answer.'),
  maxTime: z
    .string()
    .regex(DURATION, { error: MAX_TIME_FORM })
    .describe('Send nothing more after this time: 90s, 15m or 2h.'),
  allow: z.array(z.enum(PERMISSIONS)).describe('Also send requests that disturb others or cost much.'),
  only: names.describe('Check only these check IDs, clause IDs or sections.'),
  skip: names.describe('Skip these check IDs, clause IDs or sections.'),
  checks: path.describe('Module with checks of your own.'),
  seed: count.max(LARGEST_SEED).describe('Seed of the random inputs. Absent: random.'),
  profile: path.describe('Profile of the target.'),
  baseline: path.describe('Known failures, which do not fail a run.'),
  failOn: z.array(z.enum(STRICTER)).describe('What else fails a run.'),
  start: z.string().min(1).describe('Command that starts the service, in the folder of this file.'),
  watch: z.array(path).min(1).describe('Paths below which --watch looks for changes.'),
  wait: z.int().positive().describe('Seconds to wait until the service answers.'),
  report: path.describe('Folder of the journal and the reports.'),
  ...NETWORK_SETTINGS,
} as const;

/** The same settings, each of which may be absent. */
function settings(): { [K in keyof typeof SETTINGS]: z.ZodExactOptional<(typeof SETTINGS)[K]> } {
  const entries = Object.entries(SETTINGS).map(([name, schema]) => [name, schema.exactOptional()]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries forgets the keys
  return Object.fromEntries(entries) as ReturnType<typeof settings>;
}

const targetSettings = z.strictObject(settings());

/** What a configuration says of all targets, or of one. */
export type Settings = Readonly<z.infer<typeof targetSettings>>;

export const configurationSchema = z
  .strictObject({
    $schema: z.string().exactOptional().describe('Where this schema is, for editors.'),
    ...settings(),
    default: z
      .string()
      .exactOptional()
      .describe('Target of a command that names none; one that is alone needs no default.'),
    targets: z
      .record(
        z.string().regex(/^[\w.-]+$/, { error: 'must be letters, digits, dots and hyphens' }),
        targetSettings,
      )
      .exactOptional()
      .describe('Targets by name, for --target. Each setting replaces that of the top.'),
  })
  .describe('Configuration of chat-conformance. Paths are relative to this file.');

/** A configuration as a file holds it. */
export type Configuration = Readonly<z.infer<typeof configurationSchema>>;

export function configurationJsonSchema(): object {
  const schema = z.toJSONSchema(configurationSchema, { io: 'input', reused: 'ref' });
  return { ...schema, title: 'chat-conformance configuration' };
}
