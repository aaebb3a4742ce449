import type { Found } from '../rules/match.ts';
import { type Subject, textIn } from '../rules/subject.ts';

/** What a template can repeat of a request. */
const VALUES: Readonly<Record<string, (subject: Subject) => string | number | undefined>> = {
  user: (subject) => textIn(subject, 'user'),
  system: (subject) => textIn(subject, 'system'),
  model: ({ model }) => model,
  key: ({ key }) => key,
  messages: ({ sent }) => sent?.messages.length,
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

/** Fills a template. A group that the expression did not find is an empty text. */
export function fillTemplate(template: string, subject: Subject, found: Found, turn: number): string {
  return template.replaceAll(PLACE, (_whole, place: string) => {
    const name = place.trim();
    if (name === 'turn') return String(turn + 1);
    const group = GROUP.exec(name)?.groups?.['group'];
    return group === undefined ? String(VALUES[name]?.(subject) ?? '') : (found[group] ?? '');
  });
}
