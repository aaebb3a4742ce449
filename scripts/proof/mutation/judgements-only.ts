/** The part that is used here of a path of the mutation tool's parser: a node, and where it stands. */
interface SyntaxPath {
  readonly node: SyntaxNode;
  readonly parentPath: SyntaxPath | null;
  /** The parent's list that holds the node, if any, and its key there or in the parent. */
  readonly listKey?: string | null;
  readonly key: string | number | null;
  readonly scope: {
    readonly getBinding: (name: string) => { readonly referencePaths: readonly SyntaxPath[] } | undefined;
  };
}

/** Which of these members a node has depends on its type. */
interface SyntaxNode {
  readonly type: string;
  readonly name?: unknown;
  readonly id?: SyntaxNode | null;
  readonly callee?: SyntaxNode;
  readonly key?: SyntaxNode;
  readonly properties?: readonly SyntaxNode[];
}

/** Keeps mutants to what judges: the reason why code is not mutated; undefined if it is. */
function shouldIgnore(path: SyntaxPath): string | undefined {
  if (isStimulus(path)) return 'decides what is sent';
  if (isCheckName(path)) return 'names a check';
  return isWording(path) ? 'words a text' : undefined;
}

/** StrykerJS finds a plugin's list under this name. */
export const strykerPlugins = [{ kind: 'Ignore', name: 'judgements-only', value: { shouldIgnore } }];

/** The functions that declare stimuli. */
export const STIMULUS_FUNCTIONS: ReadonlySet<string> = new Set([
  'stimulus',
  'controlStimulus',
  'getStimulus',
  'refusals',
  'observedChats',
  'armedRefusals',
  'wrongCredentials',
  'chatBetweenContexts',
]);

/** Whether code declares a stimulus, or something that only stimuli use. */
function isStimulus(path: SyntaxPath, seen: readonly SyntaxNode[] = []): boolean {
  if (STIMULUS_FUNCTIONS.has(calledBy(path) ?? '')) return true;
  const { node } = path;
  if (!isDeclaration(node)) return false;
  const uses = usesOf(path).filter((use) => ![...upwards(use)].some((each) => each.node === node));
  const within = [...seen, node];
  return (
    uses.length > 0 &&
    uses.every((use) =>
      [...upwards(use)].some((each) => !within.includes(each.node) && isStimulus(each, within)),
    )
  );
}

/** Whether code is the ID or the clauses of a check, which a snapshot of all checks holds. */
function isCheckName({ node, parentPath }: SyntaxPath): boolean {
  if (!['id', 'clause', 'clauses'].includes(propertyName(node) ?? '')) return false;
  return parentPath?.node.properties?.some((each) => propertyName(each) === 'title') ?? false;
}

/** Which arguments of the rulings are texts; the others, such as codes and pointers, are read by programs. */
export const TEXT_ARGUMENTS: ReadonlyMap<string, readonly number[]> = new Map([
  ['violated', [1, 2]],
  ['notExercised', [0, 1]],
  ['inconclusive', [0]],
  ['refusedUnlikeCounterpart', [2]],
  ['isTokenLimitError', [0]],
]);

const TEXT_MEMBERS = new Set(['title', 'because', 'label', 'what', 'hint', 'reason']);

/** Nodes that compose texts. */
const COMPOSERS = /^(?:TemplateLiteral|ConditionalExpression|LogicalExpression|CallExpression)$/;

/** Whether code is a text for people, or is used in nothing else. */
function isWording(path: SyntaxPath): boolean {
  const { node, parentPath, key, listKey } = path;
  if (parentPath !== null && typeof key === 'number' && listKey === 'arguments')
    return TEXT_ARGUMENTS.get(calledBy(parentPath) ?? '')?.includes(key) ?? false;
  if (TEXT_MEMBERS.has(propertyName(node) ?? '')) return true;
  const uses = isDeclaration(node) ? usesOf(path) : [];
  return uses.length > 0 && uses.every(isUsedInWording);
}

function isUsedInWording(use: SyntaxPath): boolean {
  for (const path of upwards(use)) {
    if (isWording(path)) return true;
    if (path !== use && !COMPOSERS.test(path.node.type)) return false;
  }
  return false;
}

/** The path itself, its parent, and so on up to the program. */
function* upwards(path: SyntaxPath): Generator<SyntaxPath> {
  for (let at: SyntaxPath | null = path; at !== null; at = at.parentPath) yield at;
}

function isDeclaration({ type }: SyntaxNode): boolean {
  return type === 'FunctionDeclaration' || type === 'VariableDeclarator';
}

function calledBy({ node }: SyntaxPath): string | undefined {
  return node.type === 'CallExpression' ? nameOf(node.callee) : undefined;
}

function propertyName(node: SyntaxNode): string | undefined {
  return node.type === 'ObjectProperty' ? nameOf(node.key) : undefined;
}

/** Every place that uses what a declaration names. */
function usesOf({ node, scope }: SyntaxPath): readonly SyntaxPath[] {
  const name = nameOf(node.id);
  return (name === undefined ? undefined : scope.getBinding(name)?.referencePaths) ?? [];
}

function nameOf(node: SyntaxNode | null | undefined): string | undefined {
  return node?.type === 'Identifier' && typeof node.name === 'string' ? node.name : undefined;
}
