import type { TYPE_DEFECTS } from './type-defects.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import type { Breaches } from './breaches.ts';
import { changingMessages, dropping, isFields } from './fields.ts';
import { misreads, misreadsField, supplies } from './misreads.ts';

const MODEL = 'compact-1';
const GREETING = [{ role: 'user', content: 'Hi.' }];

/** Takes a field of such a value for one that is absent. */
function absent(field: string, isAbsent: (value: unknown) => boolean): DefectHooks {
  return misreads((chat) => dropping(chat, (name, value) => name === field && isAbsent(value)));
}

const isNull = (value: unknown): boolean => value === null;
const isNoNumber = (value: unknown): boolean => typeof value !== 'number';
const isNumeral = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));

export const TYPE_BREACHES: Breaches<typeof TYPE_DEFECTS> = {
  'missing-model-is-default': () => supplies('model', MODEL),
  'null-model-is-default': () => misreadsField('model', (model) => (model === null ? MODEL : model)),
  'model-list-falls-through': () =>
    misreadsField('model', (model) => (Array.isArray(model) ? (model[0] ?? model) : model)),
  'model-object-unwrapped': () =>
    misreadsField('model', (model) => (isFields(model) ? (model['id'] ?? model) : model)),
  'model-of-any-type': () => misreadsField('model', (model) => (typeof model === 'string' ? model : MODEL)),
  'model-of-any-type-in-streams': () =>
    misreads((chat) =>
      chat['stream'] === true && typeof chat['model'] !== 'string' ? { ...chat, model: MODEL } : chat,
    ),
  'missing-messages-are-empty': () => supplies('messages', GREETING),
  'null-messages-are-empty': () =>
    misreadsField('messages', (messages) => (messages === null ? GREETING : messages)),
  'messages-text-wrapped': () =>
    misreadsField('messages', (messages) =>
      typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages,
    ),
  'single-message-wrapped': () =>
    misreadsField('messages', (messages) =>
      isFields(messages) && Object.hasOwn(messages, 'role') ? [messages] : messages,
    ),
  'numbered-messages-listed': () =>
    misreadsField('messages', (messages) =>
      isFields(messages) && Object.hasOwn(messages, '0') ? Object.values(messages) : messages,
    ),
  'text-message-wrapped': () =>
    misreads((chat) =>
      changingMessages(chat, (message) =>
        typeof message === 'string' ? { role: 'user', content: message } : message,
      ),
    ),
  'odd-messages-skipped': () =>
    misreadsField('messages', (messages) => {
      if (!Array.isArray(messages) || messages.every(isFields)) return messages;
      const proper = messages.filter(isFields);
      return proper.length > 0 ? proper : GREETING;
    }),
  'temperature-text-coerced': () =>
    misreadsField('temperature', (value) => (isNumeral(value) ? Number(value) : value)),
  'temperature-flag-coerced': () =>
    misreadsField('temperature', (value) => (typeof value === 'boolean' ? Number(value) : value)),
  'temperature-null-absent': () => absent('temperature', isNull),
  'temperature-nan-admitted': () => absent('temperature', (value) => value === 'NaN'),
  'temperature-unchecked': () => absent('temperature', isNoNumber),
  'max-tokens-text-coerced': () =>
    misreadsField('max_tokens', (value) => (isNumeral(value) ? Number(value) : value)),
  'max-tokens-rounded': () =>
    misreadsField('max_tokens', (value) =>
      typeof value === 'number' && !Number.isInteger(value) ? Math.max(1, Math.floor(value)) : value,
    ),
  'max-tokens-null-absent': () => absent('max_tokens', isNull),
  'max-tokens-unchecked': () => absent('max_tokens', (value) => !Number.isInteger(value)),
  'stream-text-coerced': () =>
    misreadsField('stream', (value) => (value === 'true' || value === 'false' ? value === 'true' : value)),
  'stream-number-coerced': () =>
    misreadsField('stream', (value) => (value === 1 || value === 0 ? value === 1 : value)),
  'stream-null-absent': () => absent('stream', isNull),
  'stream-truthy': () => misreadsField('stream', Boolean),
};
