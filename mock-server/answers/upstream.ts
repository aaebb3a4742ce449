import type { AnswerRule } from './answer-rule.ts';
import type { Question } from './question.ts';

/** Another service, which is asked for what no rule answers. */
export interface Upstream {
  /** Its own: nothing shows it. */
  readonly key: string;
  /**
   * Gives the rule that its answer becomes, or an answer that no rule can say. Rejects with a ServiceError for a chat that
   * it refuses, and with UpstreamLost where it gives no answer.
   */
  readonly answer: (question: Question) => Promise<AnswerRule | UnreadAnswer>;
}

/** A paid answer that is passed on as it came. */
export interface UnreadAnswer {
  readonly contentType: string;
  readonly body: string;
}

/** No answer came: whether the other service has done the work is not known. */
export class UpstreamLost extends Error {
  override readonly name = 'UpstreamLost';
  readonly status: 502 | 504;

  constructor(status: 502 | 504, message: string) {
    super(message);
    this.status = status;
  }
}
