import type { Found } from '../rules/match.ts';
import type { Subject } from '../rules/subject.ts';

/** What a rule makes of a request is more than the mock sends. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** What a template can repeat of a request. */
const VALUES: Readonly<Record<string, (subject: Subject) => string | undefined>> = {
  user: ({ conversation }) => conversation?.texts.user,
  system: ({ conversation }) => conversation?.texts.system,
  model: ({ model }) => model,
  key: ({ key }) => key,
  messages: ({ conversation }) => conversation && String(conversation.sent.messages.length),
};

const PLACE = /\{\{(?<name>[^{}]*)\}\}/g;
/** Also names what an expression found: `{{group.1}}`, `{{group.city}}`. */
const GROUP = /^group\.(?<group>\w+)$/;

export const TEMPLATE_NAMES = [...Object.keys(VALUES), 'turn', 'group.NAME'];

/** The names in a template that nothing can be put in place of. */
export function unknownPlaces(template: string): readonly string[] {
  const names = [...template.matchAll(PLACE)].map(({ groups }) => groups?.['name']?.trim() ?? '');
  return names.filter((name) => name !== 'turn' && !Object.hasOwn(VALUES, name) && !GROUP.test(name));
}

/** A conversation repeated in many places would be more than the mock can hold. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Fills a template. A group that the expression did not find is an empty text. Throws AnswerTooLarge before the text is
 * made.
 */
export function fillTemplate(template: string, subject: Subject, found: Found, turn: number): string {
  let room = MOST_BYTES - Buffer.byteLength(template);
  return template.replaceAll(PLACE, (_whole, place: string) => {
    const value = valueAt(place.trim(), subject, found, turn);
    room -= Buffer.byteLength(value);
    if (room < 0) throw new AnswerTooLarge('makes an answer of more than 16 MB of this request');
    return value;
  });
}

function valueAt(name: string, subject: Subject, found: Found, turn: number): string {
  if (name === 'turn') return String(turn + 1);
  const group = GROUP.exec(name)?.groups?.['group'];
  return group === undefined ? (VALUES[name]?.(subject) ?? '') : (found[group] ?? '');
}
