const VERBS = ['mock', 'fault', 'scenario', 'run', 'send', 'sees', 'workspace'] as const;

/** One line of a recipe. */
export interface RecipeStep {
  readonly verb: (typeof VERBS)[number];
  readonly text: string;
}

export interface Recipe {
  readonly title: string;
  /** The title of its section. */
  readonly section: string;
  /** What stands between its title and its steps. */
  readonly text: string;
  readonly steps: readonly RecipeStep[];
  /** What somebody says who needs it, as the index by symptom has it. */
  readonly symptoms: readonly string[];
}

const RECIPE = /^### (?<title>.+)\n(?<text>[^]*?)(?=^##|$(?![^]))/gm;

/** Every third-level heading of the document with the block below it. Throws for a heading that has none. */
export function readRecipes(document: string): readonly Recipe[] {
  const symptoms = symptomsIn(document);
  return [...document.matchAll(RECIPE)].map(({ groups, index }) => {
    const { title = '', text = '' } = groups ?? {};
    const [before = '', block] = text.split(/^```recipe\n/m, 2);
    const [lines, rest] = block?.split(/^```$/m, 2) ?? [];
    if (lines === undefined || rest === undefined) throw new Error(`"${title}" has no recipe`);
    const section = [...document.slice(0, index).matchAll(/^## (.+)$/gm)].at(-1)?.[1] ?? '';
    const said = before.trim().replaceAll(/\s+/g, ' ');
    return { title, section, text: said, steps: readSteps(lines), symptoms: symptoms(title) };
  });
}

/** `- **My client hangs:** [A recipe](#a-recipe); …` */
const SYMPTOM = /^- \*\*(.+?):\*\* (.+)$/gm;

/** The symptoms of a recipe, by its title. */
function symptomsIn(document: string): (title: string) => readonly string[] {
  const listed = [...document.matchAll(SYMPTOM)];
  return (title) =>
    listed.filter(([, , links]) => links?.includes(`[${title}](`)).map(([, symptom = '']) => symptom);
}

/** A line that begins with a space continues the one before it. */
function readSteps(lines: string): readonly RecipeStep[] {
  const whole = lines.trimEnd().replaceAll(/\n +/g, ' ');
  return whole.split('\n').map(readStep);
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
