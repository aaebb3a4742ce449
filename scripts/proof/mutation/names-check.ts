import { propertyName, type SyntaxPath } from './syntax-path.ts';

const NAMES = new Set(['id', 'clause', 'clauses']);

/** Whether code gives a check its ID or its clauses, which a snapshot of all checks holds. */
export function namesCheck({ node, parentPath }: SyntaxPath): boolean {
  if (!NAMES.has(propertyName(node) ?? '')) return false;
  return parentPath?.node.properties?.some((each) => propertyName(each) === 'title') ?? false;
}
