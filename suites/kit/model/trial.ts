import type { Exchange } from './exchange.ts';

/** What one draw of a stimulus sent, in the order it was sent. */
export interface Trial {
  readonly exchanges: readonly Exchange[];
  /** The counterpart of a refused request: it differs from `exchanges[0]` in one place only. */
  readonly counterpart?: Exchange;
}
