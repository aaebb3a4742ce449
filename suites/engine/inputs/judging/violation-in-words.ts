import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import { jsonText, parseOnce, valueAt } from '../../reading/json.ts';
import type { RequestViolation } from './request-violations.ts';

/**
 * Why a request must be refused, after "because": "the field `tools` is unknown", "`max_tokens` is 1.5",
 * "`messages[0].content` is null".
 */
export function violationInWords({ clauses, place }: RequestViolation, bytes: Uint8Array): string {
  const body = parseOnce(bytes);
  const value = body.kind === 'json' ? valueAt(body.value, place) : undefined;
  const names = pointedNames(place);
  const [name] = names;
  if (name === undefined) return 'the body is not a JSON object';
  const path = `\`${pathOf(names)}\``;
  if (value === undefined) return `${path} is missing`;
  if (clauses.includes('REQ-6')) return `${fieldInWords(name)} is unknown`;
  if (clauses.includes('SVC-7')) return `the model ${short(value)} is not listed`;
  if (clauses.includes('MSG-3')) return `${path} holds an image, and is not of a user message`;
  if (clauses.includes('MSG-4')) return `${path} holds an image, and the model has no vision`;
  return `${path} is ${short(value)}`;
}

function pointedNames(pointer: string): readonly string[] {
  const names = pointer.split('/').slice(1);
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** `messages[0].content` */
function pathOf([first = '', ...others]: readonly string[]): string {
  return first + others.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('');
}

function fieldInWords(name: string): string {
  return name === '' ? 'the field with the empty name' : `the field ${quotedName(name)}`;
}

/** In quotation marks where it holds anything that could be misread. */
function quotedName(name: string): string {
  return /^[\w.-]+$/.test(name) ? `\`${name}\`` : jsonText(name).slice(0, LONGEST);
}

const LONGEST = 60;

function short(value: JsonValue): string {
  if (Array.isArray(value) && value.length === 0) return 'an empty list';
  const text = jsonText(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
