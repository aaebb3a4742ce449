import { createContext, type Context, Script } from 'node:vm';
import { ExpressionTooSlow } from './answer-rule.ts';

/** Characters of a text that an expression looks at. */
const LONGEST_TEXT = 65_536;
/** Far beyond what any expression needs for such a text, unless it tries the same places again and again. */
const LONGEST_MS = 250;

/** `/source/flags`, or the source alone. Throws a SyntaxError. */
export function readExpression(text: string): RegExp {
  const written = /^\/(?<source>.+)\/(?<flags>[imsuv]*)$/s.exec(text)?.groups;
  return written?.['source'] === undefined
    ? new RegExp(text)
    : new RegExp(written['source'], written['flags']);
}

/**
 * Makes an expression safe to ask. Some expressions need exponential time, `(a+)+$` is one, and no bound on the text
 * prevents that: such a search is ended from outside, by the deadline of a script. Throws ExpressionTooSlow then.
 */
export function boundExpression(expression: RegExp): (text: string) => RegExpExecArray | null {
  return (text) => {
    const search = sandbox();
    search.context['expression'] = expression;
    search.context['text'] = text.slice(0, LONGEST_TEXT);
    try {
      const found: RegExpExecArray | null = search.script.runInContext(search.context, {
        timeout: LONGEST_MS,
      });
      return found;
    } catch (error) {
      if (Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
        throw new ExpressionTooSlow(`needed more than ${LONGEST_MS} ms for a text`);
      throw error;
    } finally {
      search.context['text'] = '';
    }
  };
}

let made: { readonly script: Script; readonly context: Context } | undefined;

/** Made once, by the first search. */
function sandbox(): NonNullable<typeof made> {
  made ??= { script: new Script('expression.exec(text)'), context: createContext({}) };
  return made;
}
