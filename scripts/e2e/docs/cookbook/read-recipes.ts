const VERBS = ['fault', 'world', 'run', 'send', 'sees', 'workspace'] as const;

/** One line of a recipe. */
export interface RecipeStep {
  readonly verb: (typeof VERBS)[number];
  readonly text: string;
}

export interface Recipe {
  readonly title: string;
  readonly steps: readonly RecipeStep[];
}

const RECIPE = /^### (?<title>.+)\n(?<text>[^]*?)(?=^##|$(?![^]))/gm;

/** Every third-level heading of the document with the block below it. Throws for a heading that has none. */
export function readRecipes(document: string): readonly Recipe[] {
  return Array.from(document.matchAll(RECIPE), ({ groups: { title = '', text = '' } = {} }) => {
    const [, lines] = /^```recipe\n([^]*?)^```$/m.exec(text) ?? [];
    if (lines === undefined) throw new Error(`"${title}" has no recipe`);
    // A line that begins with a space continues the one before it.
    return { title, steps: lines.trimEnd().replaceAll(/\n +/g, ' ').split('\n').map(readStep) };
  });
}

function readStep(line: string): RecipeStep {
  const [, name, text] = /^(\w+): +(\S.*)$/.exec(line) ?? [];
  const verb = VERBS.find((one) => one === name);
  if (verb === undefined || text === undefined) throw new Error(`no line of a recipe: ${line}`);
  return { verb, text };
}

/** `a, b` as its phrases; one that begins with `N ×` is to be true of so many. */
export function readPhrases(
  text: string,
): readonly { readonly count: number | null; readonly phrase: string }[] {
  return text.split(', ').map((part) => {
    const [, count, phrase = part] = /^(\d+) × (.+)$/.exec(part) ?? [];
    return { count: count === undefined ? null : Number(count), phrase };
  });
}
