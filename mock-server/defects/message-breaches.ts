import type { MESSAGE_DEFECTS } from './message-defects.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import type { Breaches } from './breaches.ts';
import { changing, changingMessages, type Fields, isFields, without } from './fields.ts';
import { misreads, misreadsMessage } from './misreads.ts';

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant']);
const SIGHTED = 'vista-1';
const HARMLESS = { role: 'user', content: 'Hi.' };

const hasImage = ({ content }: Fields): boolean =>
  Array.isArray(content) && content.some((part) => isFields(part) && /image/.test(String(part['type'])));

/** Takes a message with an image for one without, where that is so. */
function overlooksImage(
  isOverlooked: (message: Fields, chat: Fields, index: number) => boolean,
): DefectHooks {
  return misreadsMessage((message, chat, index) =>
    hasImage(message) && isOverlooked(message, chat, index) ? { ...message, content: 'Hi.' } : message,
  );
}

/** Looks closely at one message, and takes all others that are wrong for harmless ones. */
function checksOnly(isChecked: (index: number, count: number) => boolean): DefectHooks {
  return misreads((chat) =>
    changingMessages(chat, (message, index, all) =>
      isChecked(index, all.length) || isRight(message) ? message : HARMLESS,
    ),
  );
}

function isRight(message: unknown): boolean {
  if (!isFields(message)) return false;
  const { role, content, ...more } = message;
  const isContent = typeof content === 'string' || hasImage(message);
  return ROLES.has(role) && isContent && Object.keys(more).length === 0;
}

function misreadsRole(take: (role: unknown) => unknown): DefectHooks {
  return misreadsMessage((message) => changing(message, 'role', take));
}

function misreadsContent(take: (content: unknown) => unknown): DefectHooks {
  return misreadsMessage((message) => changing(message, 'content', take));
}

/** Takes a list in which a part is of such a type for text. */
function leavesOut(types: RegExp): DefectHooks {
  return misreadsContent((content) =>
    Array.isArray(content) && content.some((part) => isFields(part) && types.test(String(part['type'])))
      ? 'Hi.'
      : content,
  );
}

const asRole = (role: string, wanted: string) => (given: unknown) => (given === role ? wanted : given);

/** Serves the rest of a message that has this field. */
function skips(field: string): DefectHooks {
  return misreadsMessage((message) => {
    if (!Object.hasOwn(message, field)) return message;
    const rest = without(message, field);
    return { ...rest, content: rest['content'] ?? 'Hi.' };
  });
}

/** Takes a message of this role for one of a user. */
function readsAsUser(role: string): DefectHooks {
  return misreadsMessage((message) => (message['role'] === role ? HARMLESS : message));
}

const isTextList = (content: unknown): content is readonly string[] =>
  Array.isArray(content) && content.length > 0 && content.every((each) => typeof each === 'string');

export const MESSAGE_BREACHES: Breaches<typeof MESSAGE_DEFECTS> = {
  'first-message-checked-only': () => checksOnly((index) => index === 0),
  'last-message-checked-only': () => checksOnly((index, count) => index === count - 1),
  'developer-role-allowed': () => misreadsRole(asRole('developer', 'system')),
  'model-role-allowed': () => misreadsRole(asRole('model', 'assistant')),
  'role-case-ignored': () =>
    misreadsRole((role) =>
      typeof role === 'string' && ROLES.has(role.toLowerCase()) ? role.toLowerCase() : role,
    ),
  'roles-trimmed': () => misreadsRole((role) => (typeof role === 'string' ? role.trim() : role)),
  'role-null-is-user': () => misreadsRole((role) => (role === null ? 'user' : role)),
  'any-role-allowed': () =>
    misreadsRole((role) => (typeof role === 'string' && !ROLES.has(role) ? 'user' : role)),
  'tool-role-allowed': () => readsAsUser('tool'),
  'function-role-allowed': () => readsAsUser('function'),
  'tool-calls-skipped': () => skips('tool_calls'),
  'function-call-skipped': () => skips('function_call'),
  'tool-parts-left-out': () => leavesOut(/^tool/),
  'content-number-coerced': () =>
    misreadsContent((content) => (typeof content === 'number' ? String(content) : content)),
  'content-null-allowed': () => misreadsContent((content) => content ?? 'Hi.'),
  'content-object-allowed': () => misreadsContent((content) => (isFields(content) ? 'Hi.' : content)),
  'content-null-of-assistant-allowed': () =>
    misreadsMessage((message) =>
      message['role'] === 'assistant' && Object.keys(message).length === 2
        ? changing(message, 'content', (content) => content ?? 'Hi.')
        : message,
    ),
  'content-sound-left-out': () => leavesOut(/audio|file|video/),
  'content-flag-coerced': () =>
    misreadsContent((content) => (typeof content === 'boolean' ? String(content) : content)),
  'content-strings-joined': () =>
    misreadsContent((content) => (isTextList(content) ? content.join(' ') : content)),
  'content-list-unchecked': () =>
    misreadsContent((content) =>
      Array.isArray(content) && content.length > 0 && !content.some(isFields) ? 'Hi.' : content,
    ),
  'image-in-system-message': () =>
    overlooksImage(({ role }, { model }) => role === 'system' && model === SIGHTED),
  'image-in-assistant-message': () =>
    overlooksImage(({ role }, { model }) => role === 'assistant' && model === SIGHTED),
  'image-checked-in-first-message': () =>
    overlooksImage(({ role }, { model }, index) => index > 0 && role !== 'user' && model === SIGHTED),
  'image-in-system-message-of-streams': () =>
    overlooksImage(
      ({ role }, { model, stream }) => role === 'system' && model === SIGHTED && stream === true,
    ),
  'image-dropped-for-blind-model': () =>
    overlooksImage(({ role }, { model }) => role === 'user' && model !== SIGHTED),
  'image-dropped-for-blind-model-in-streams': () =>
    overlooksImage(({ role }, { model, stream }) => role === 'user' && model !== SIGHTED && stream === true),
  'image-of-one-shape-checked': () =>
    overlooksImage(
      ({ role, content }, { model }) =>
        role === 'user' && model !== SIGHTED && JSON.stringify(content).includes('"source"'),
    ),
  'image-by-link-left-out': () =>
    overlooksImage(
      ({ role, content }, { model }) =>
        role === 'user' && model !== SIGHTED && JSON.stringify(content).includes('"https:'),
    ),
  'image-before-last-left-out': () =>
    overlooksImage(
      ({ role }, { model, messages }, index) =>
        role === 'user' && model !== SIGHTED && Array.isArray(messages) && index < messages.length - 1,
    ),
  'vision-by-model-name': () =>
    overlooksImage(({ role }, { model }) => role === 'user' && /^(compact|standard)/.test(String(model))),
};
