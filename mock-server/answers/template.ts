import type { Found } from './answer-rule.ts';
import type { Question } from './question.ts';

/** What a template can repeat of a request. */
const VALUES: Readonly<Record<string, (question: Question) => string>> = {
  user: ({ texts }) => texts.user,
  system: ({ texts }) => texts.system,
  model: ({ model }) => model,
  key: ({ key }) => key,
  messages: ({ sent }) => String(sent.messages.length),
};

const PLACE = /\{\{\s*(?<name>[^{}]*?)\s*\}\}/g;
/** Also names what an expression found: `{{group.1}}`, `{{group.city}}`. */
const GROUP = /^group\.(?<group>\w+)$/;

export const TEMPLATE_NAMES = [...Object.keys(VALUES), 'turn', 'group.NAME'];

/** The names in a template that nothing can be put in place of. */
export function unknownPlaces(template: string): readonly string[] {
  const names = [...template.matchAll(PLACE)].map(({ groups }) => groups?.['name'] ?? '');
  return names.filter((name) => name !== 'turn' && !Object.hasOwn(VALUES, name) && !GROUP.test(name));
}

/** Fills a template. A group that the expression did not find is an empty text. */
export function fillTemplate(template: string, question: Question, found: Found, turn: number): string {
  return template.replaceAll(PLACE, (_whole, name: string) => {
    if (name === 'turn') return String(turn + 1);
    const group = GROUP.exec(name)?.groups?.['group'];
    return group === undefined ? (VALUES[name]?.(question) ?? '') : (found[group] ?? '');
  });
}
