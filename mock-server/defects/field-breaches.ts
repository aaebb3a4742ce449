import type { FIELD_DEFECTS } from './field-defects.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import type { Breaches } from './breaches.ts';
import { dropping, type Fields, isFields, without } from './fields.ts';
import { jsonOf, misreads } from './misreads.ts';
import { servesResponses } from './serves-responses.ts';

const FIELDS: ReadonlySet<string> = new Set(['model', 'messages', 'temperature', 'max_tokens', 'stream']);
const DENIED: ReadonlySet<string> = new Set([
  'top_p',
  'n',
  'stop',
  'tools',
  'functions',
  'tool_choice',
  'logprobs',
  'user',
  'seed',
]);

const isUnknown = (name: string): boolean => !FIELDS.has(name);
const stripped = (chat: Fields): Fields => dropping(chat, isUnknown);

/** Does not see an unknown field of this name, or with this value. */
function overlooks(isOverlooked: (name: string, value: unknown) => boolean): DefectHooks {
  return misreads((chat) => dropping(chat, (name, value) => isUnknown(name) && isOverlooked(name, value)));
}

const allows = (field: string): DefectHooks => misreads((chat) => without(chat, field));

const saying = (content: unknown): readonly Fields[] => [{ role: 'user', content }];

export const FIELD_BREACHES: Breaches<typeof FIELD_DEFECTS> = {
  'unknown-fields-stripped': () => misreads(stripped),
  'unknown-fields-stripped-from-streams': () =>
    misreads((chat) => (chat['stream'] === true ? stripped(chat) : chat)),
  'unknown-fields-stripped-unless-streamed': () =>
    misreads((chat) => (chat['stream'] === true ? chat : stripped(chat))),
  'null-unknown-field-ignored': () => overlooks((_, value) => value === null),
  'falsy-unknown-field-ignored': () => overlooks((_, value) => !value),
  'inherited-names-known': () => overlooks((name) => name in {}),
  'proto-field-unseen': () => overlooks((name) => name === '__proto__'),
  'field-case-ignored': () => overlooks((name) => FIELDS.has(name.toLowerCase())),
  'field-names-trimmed': () => overlooks((name) => FIELDS.has(name.trim())),
  'known-parameters-denied-only': () => overlooks((name) => !DENIED.has(name)),
  'top-p-allowed': () => allows('top_p'),
  'n-allowed': () => allows('n'),
  'stop-allowed': () => allows('stop'),
  'user-allowed': () => allows('user'),
  'stream-options-allowed': () => allows('stream_options'),
  'max-completion-tokens-allowed': () => allows('max_completion_tokens'),
  'metadata-allowed': () => allows('metadata'),
  'response-format-allowed': () => allows('response_format'),
  'tools-ignored': () => allows('tools'),
  'functions-ignored': () => allows('functions'),
  'tool-choice-none-ignored': () => allows('tool_choice'),
  'responses-api-served': () => servesResponses(() => true),
  'responses-lookup-served': () => servesResponses(({ method }) => method === 'GET'),
  'responses-kept': () =>
    servesResponses(
      ({ method, url }) => method === 'DELETE' || (method === 'GET' && url.endsWith('responses')),
    ),
  'responses-asked-of-chat': () =>
    misreads((chat) => {
      const { input, max_output_tokens, ...rest } = chat;
      if (input === undefined || Object.hasOwn(chat, 'messages')) return chat;
      return { max_tokens: max_output_tokens, ...rest, messages: saying('Hi.') };
    }),
  'prompt-for-messages': () =>
    misreads((chat) => {
      const { prompt, ...rest } = chat;
      if (prompt === undefined || Object.hasOwn(chat, 'messages')) return chat;
      return { ...rest, messages: saying(prompt) };
    }),
  'responses-streamed': () =>
    servesResponses((request) => {
      const body = jsonOf(request);
      return isFields(body) && body['stream'] === true;
    }),
};
