import { didYouMean } from '../../../fixtures/words/did-you-mean.ts';
import { DEFECTS } from '../../../mock-server/defects/defects.ts';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import { completeWorld } from '../../../mock-server/world/check-world.ts';
import type { WorldPart, World } from '../../../mock-server/world/world-schema.ts';
import { UsageError } from '../terminal/terminal.ts';

/** Ways to fill the open points that the mock takes by the choices of its world, by the names that they have in docs/proof.md. */
export const MOCK_VARIANTS = {
  'temperature-to-one': { request: { temperatureMinimum: 0.01, temperatureMaximum: 1 } },
  'large-default-output': { request: { maxTokensDefault: 500 } },
  'lenient-about-messages': {
    messages: { extraFields: 'ignore', emptyList: 'accept', emptyContent: 'accept' },
  },
  'finish-as-stop-reason': { response: { finishReasonField: 'stop_reason' } },
  'finish-at-the-root': { response: { finishReasonField: 'finishReason', finishReasonPlace: 'root' } },
  'finish-in-other-words': { response: { finishReasonField: 'ende' } },
  'usage-in-camel-case': {
    response: {
      inputTokensField: 'inputTokens',
      outputTokensField: 'outputTokens',
      totalTokensField: 'totalTokens',
    },
  },
  'many-fields': { response: { extraFields: { service_tier: null, system_fingerprint: 'fp_1', cost: 3 } } },
  'models-under-models': { models: { shape: 'models' } },
  'models-in-a-bare-list': { models: { shape: 'list' } },
  'vision-by-id': { vision: { shape: 'map' } },
  'vision-as-one-flag': { vision: { shape: 'flag' } },
  'one-whole-event': { stream: { framing: 'one-event' } },
  'crlf-events': { stream: { newline: 'crlf' } },
  'comments-between-events': { stream: { comment: 'welcome' } },
  'no-terminator': { stream: { terminator: null } },
  'keys-ignored': { idempotency: { repeated: 'serve' } },
  'keys-used-once': { idempotency: { repeated: 'refuse' } },
  'keys-required': { idempotency: { missing: 'refuse' } },
  'keys-required-and-used-once': { idempotency: { missing: 'refuse', repeated: 'refuse' } },
  'errors-at-the-root': { errors: { shape: 'root' } },
  'no-key-is-403': { errors: { overrides: { missing_key: { status: 403 }, invalid_key: { status: 403 } } } },
  'no-scope-is-401': { errors: { overrides: { missing_scope: { status: 401 } } } },
  'limits-and-deprecation': {
    versioning: { deprecation: '@1790000000', sunset: 'Fri, 20 Nov 2099 12:00:00 GMT' },
  },
} as const satisfies Readonly<Record<string, WorldPart['choices']>>;

/** A world with the choices of these variants; later ones win. Throws a UsageError given an unknown variant. */
export function withVariants(names: readonly string[], world: World = builtInWorld): World {
  const known = new Map<string, WorldPart['choices']>(Object.entries(MOCK_VARIANTS));
  return names.reduce((chosen, name) => {
    if (known.has(name)) return completeWorld({ choices: known.get(name) }, chosen);
    const all = [...known.keys()].join(', ');
    throw new UsageError(`--variant ${name} is not a variant of the mock: choose one of ${all}`);
  }, world);
}

/** @throws {UsageError} Given a name that no defect has. */
export function checkDefect(name: string): void {
  if (DEFECTS.has(name)) return;
  const near = didYouMean(name, [...DEFECTS.keys()]) || ': --defect list shows them all';
  throw new UsageError(`--defect: no defect is called "${name}"${near}`);
}

/** A line for each defect: its name, the clauses that it breaks, and its story. */
export function defectList(): string {
  const width = Math.max(...[...DEFECTS.keys()].map((name) => name.length));
  return Array.from(
    DEFECTS,
    ([name, { clauses, story }]) => `${name.padEnd(width)}  ${clauses.join(', ')}: ${story}`,
  ).join('\n');
}
