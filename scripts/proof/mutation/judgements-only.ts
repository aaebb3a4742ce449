import { isOfStimulus } from './is-of-stimulus.ts';
import { isWording } from './is-wording.ts';
import { namesCheck } from './names-check.ts';
import type { SyntaxPath } from './syntax-path.ts';

/** Keeps mutants to what judges: why code is left as it is, or undefined when it is to be mutated. */
function shouldIgnore(path: SyntaxPath): string | undefined {
  if (isOfStimulus(path)) return 'decides what is sent';
  if (namesCheck(path)) return 'names a check';
  return isWording(path) ? 'words a text for people' : undefined;
}

/** The name under which the mutation tool looks a plugin's list up. */
export const strykerPlugins = [{ kind: 'Ignore', name: 'judgements-only', value: { shouldIgnore } }];
