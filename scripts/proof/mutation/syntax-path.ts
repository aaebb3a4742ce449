/** What is read here of the paths that the mutation tool's parser walks: a node, and where it stands. */
export interface SyntaxPath {
  readonly node: SyntaxNode;
  readonly parentPath: SyntaxPath | null;
  /** The name of the parent's list that holds it, and its place there; or the name of the parent's member. */
  readonly listKey?: string | null;
  readonly key: string | number | null;
  readonly scope: { readonly getBinding: (name: string) => Binding | undefined };
}

/** A node; which of these members it has depends on its type. */
interface SyntaxNode {
  readonly type: string;
  readonly name?: unknown;
  /** What a declaration declares. */
  readonly id?: SyntaxNode | null;
  readonly callee?: SyntaxNode;
  /** The name of an object's property. */
  readonly key?: SyntaxNode;
  readonly properties?: readonly SyntaxNode[];
}

/** A name, and every place that uses it. */
interface Binding {
  readonly referencePaths: readonly SyntaxPath[];
}

/** The path itself, its parent, and so on up to the program. */
export function* upwards(path: SyntaxPath): Generator<SyntaxPath> {
  for (let at: SyntaxPath | null = path; at !== null; at = at.parentPath) yield at;
}

/** The name of the function that an expression calls, when it is a plain name. */
export function calledBy({ node }: SyntaxPath): string | undefined {
  return node.type === 'CallExpression' ? nameOf(node.callee) : undefined;
}

/** The name of a property of an object that is written out. */
export function propertyName(node: SyntaxNode): string | undefined {
  return node.type === 'ObjectProperty' ? nameOf(node.key) : undefined;
}

/** Every place that uses what a declaration names; none for what is no declaration of a plain name. */
export function usesOf(path: SyntaxPath): readonly SyntaxPath[] {
  const name = nameOf(path.node.id);
  return (name === undefined ? undefined : path.scope.getBinding(name)?.referencePaths) ?? [];
}

function nameOf(node: SyntaxNode | null | undefined): string | undefined {
  return node?.type === 'Identifier' && typeof node.name === 'string' ? node.name : undefined;
}
