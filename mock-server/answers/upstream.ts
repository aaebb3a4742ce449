import type { AnswerRule } from './answer-rule.ts';
import type { Question } from './question.ts';

/**
 * Another service, which is asked for what no rule answers; gives the rule that its answer becomes. Rejects with a
 * ServiceError for a chat that it refuses, and with UpstreamLost where it gives no answer.
 */
export type Upstream = (question: Question) => Promise<AnswerRule>;

/** No answer came: whether the other service has done the work is not known. */
export class UpstreamLost extends Error {
  override readonly name = 'UpstreamLost';
  readonly status: 502 | 504;

  constructor(status: 502 | 504, message: string) {
    super(message);
    this.status = status;
  }
}
