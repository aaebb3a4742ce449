import { createContext, type Context, Script } from 'node:vm';

/** Characters of a text that an expression looks at. */
const LONGEST_TEXT = 65_536;
/** Far beyond what expressions need for such a text, unless they try the same places again and again. */
const MOST_MS = 250;

/** The time of one request ended while the expression of a rule was asked, or before. */
export class ExpressionTooSlow extends Error {
  override readonly name = 'ExpressionTooSlow';
  /** Whether the expression itself took most of the time. */
  readonly isAtFault: boolean;

  constructor(ms: number) {
    super(`needed more than ${Math.round(ms)} ms for a text`);
    this.isAtFault = ms > MOST_MS / 2;
  }
}

/** `/source/flags`, or the source alone. Throws a SyntaxError. */
export function readExpression(text: string): RegExp {
  const written = /^\/(?<source>.+)\/(?<flags>[imsuv]*)$/s.exec(text)?.groups;
  return written?.['source'] === undefined
    ? new RegExp(text)
    : new RegExp(written['source'], written['flags']);
}

/**
 * The time that one request has for the expressions of all rules. Some expressions need exponential time, `(a+)+$` is one,
 * and no bound on the text prevents that: such a search is ended from outside, by the deadline of a script.
 */
export class SearchTime {
  #leftMs = MOST_MS;

  /** Like `expression.exec`. Throws ExpressionTooSlow when the time ends. */
  exec(expression: RegExp, text: string): RegExpExecArray | null {
    const given = this.#leftMs;
    if (given <= 0) throw new ExpressionTooSlow(0);
    const began = performance.now();
    const search = sandbox();
    search.context['expression'] = expression;
    search.context['text'] = text.slice(0, LONGEST_TEXT);
    try {
      const timeout = Math.ceil(given);
      const found: RegExpExecArray | null = search.script.runInContext(search.context, { timeout });
      return found;
    } catch (error) {
      throw Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new ExpressionTooSlow(given) : error;
    } finally {
      search.context['text'] = '';
      this.#leftMs -= performance.now() - began;
    }
  }
}

let made: { readonly script: Script; readonly context: Context } | undefined;

/** Made once, by the first search. */
function sandbox(): NonNullable<typeof made> {
  made ??= { script: new Script('expression.exec(text)'), context: createContext({}) };
  return made;
}
