import { calledBy, type SyntaxPath, upwards, usesOf } from './syntax-path.ts';

/** The functions that declare stimuli. */
const DECLARE = new Set([
  'stimulus',
  'controlStimulus',
  'refusals',
  'observedChats',
  'armedRefusals',
  'wrongCredentials',
  'chatBetweenContexts',
]);

const DECLARATIONS = new Set(['FunctionDeclaration', 'VariableDeclarator']);

/** Whether code only decides what is sent: it declares a stimulus, or nothing but stimuli uses what it declares. */
export function isOfStimulus(path: SyntaxPath, within: readonly SyntaxPath[] = []): boolean {
  if (DECLARE.has(calledBy(path) ?? '')) return true;
  if (!DECLARATIONS.has(path.node.type)) return false;
  const uses = usesOf(path).filter((use) => ![...upwards(use)].some((each) => each.node === path.node));
  const seen = [...within, path];
  return uses.length > 0 && uses.every((use) => isInStimulus(use, seen));
}

function isInStimulus(use: SyntaxPath, seen: readonly SyntaxPath[]): boolean {
  return [...upwards(use)].some(
    (path) => !seen.some(({ node }) => node === path.node) && isOfStimulus(path, seen),
  );
}
