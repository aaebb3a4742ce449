import { calledBy, propertyName, type SyntaxPath, upwards, usesOf } from './syntax-path.ts';

/** Which arguments of the rulings are texts for people; the others (a code, a pointer) are for programs. */
const TEXTS: ReadonlyMap<string | undefined, readonly number[]> = new Map([
  ['violated', [1, 2]],
  ['notExercised', [0, 1]],
  ['inconclusive', [0]],
  ['refusedUnlikeControl', [2]],
  ['isTokenLimitError', [0]],
]);

/** Parts of a declaration that are texts for people. */
const TEXT_MEMBERS = new Set(['title', 'because', 'label', 'what', 'hint', 'reason']);

/** What hands on a text that it is made of. */
const COMPOSE = new Set(['TemplateLiteral', 'ConditionalExpression', 'LogicalExpression', 'CallExpression']);

/** Whether code only words a text for people: it stands in a ruling's text, or is used in nothing else. */
export function isWording(path: SyntaxPath): boolean {
  const { parentPath: parent, key, listKey } = path;
  if (parent === null || typeof key !== 'number' || listKey !== 'arguments') return isNamedWording(path);
  return TEXTS.get(calledBy(parent))?.includes(key) ?? false;
}

function isNamedWording(path: SyntaxPath): boolean {
  if (TEXT_MEMBERS.has(propertyName(path.node) ?? '')) return true;
  if (path.node.type !== 'VariableDeclarator' && path.node.type !== 'FunctionDeclaration') return false;
  const uses = usesOf(path);
  return uses.length > 0 && uses.every(isInWording);
}

/** Up through what composes texts, as far as an argument that is one. */
function isInWording(use: SyntaxPath): boolean {
  for (const path of upwards(use)) {
    if (isWording(path)) return true;
    if (path !== use && !COMPOSE.has(path.node.type)) return false;
  }
  return false;
}
