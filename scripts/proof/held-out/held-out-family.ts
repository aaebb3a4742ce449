import { malformedBodiesSurvived } from '../../../suites/errors/malformed-bodies-survived.ts';
import { oddChatsSurvived } from '../../../suites/errors/odd-chats-survived.ts';
import { wrongKeyRefused } from '../../../suites/authentication/key-required.ts';
import {
  toolCallsRefused,
  knownParameterRefused,
  unheardOfFieldRefused,
} from '../../../suites/chat-request/unknown-fields-refused.ts';
import type { Check } from '../../../suites/kit/model/check.ts';
import type { Draft } from '../../../suites/kit/model/draft.ts';
import { unlistedModelsRefused } from '../../../suites/models/unlisted-models-refused.ts';

/**
 * Defects that nobody has the inputs arranged for: services that are wrong about one thing that a caller may send, and
 * right about all else. There is one of them for each thing.
 */
export interface HeldOutFamily {
  readonly name: string;
  /** How they come about. */
  readonly story: string;
  /** Those whose inputs are such things, and which fail for each that the service is wrong about. */
  readonly checks: readonly Check[];
  /** The thing in a request; undefined where there is none. */
  readonly about: (draft: Draft) => string | undefined;
}

const FIELDS = new Set(['model', 'messages', 'temperature', 'max_tokens', 'stream']);

export const HELD_OUT_FAMILIES: readonly HeldOutFamily[] = [
  {
    name: 'field-let-through',
    story: 'one field more stands in the list of those that are allowed',
    checks: [knownParameterRefused, unheardOfFieldRefused, toolCallsRefused],
    about: (draft) => Object.keys(chatIn(draft)).find((name) => !FIELDS.has(name)),
  },
  {
    name: 'model-mapped',
    story: 'one name that is not listed is taken for a model',
    checks: [unlistedModelsRefused],
    about: (draft) => String(chatIn(draft)['model']),
  },
  {
    name: 'key-admitted',
    story: 'one way to get a key or its scheme wrong is let in',
    checks: [wrongKeyRefused],
    about: ({ credential }) => (credential?.kind === 'forged' ? credential.label : undefined),
  },
  {
    name: 'body-that-fails',
    story: 'one body ends in a failure of the service',
    checks: [malformedBodiesSurvived, oddChatsSurvived],
    about: ({ body = '', headers }) => JSON.stringify([headers, Buffer.from(body).toString('base64')]),
  },
];

function chatIn({ body = '{}' }: Draft): Readonly<Record<string, unknown>> {
  const chat: Readonly<Record<string, unknown>> = JSON.parse(Buffer.from(body).toString());
  return chat;
}
