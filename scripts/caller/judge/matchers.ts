import type { RequestFilter } from '../../../mock-server/journal/sent-requests.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { violationsText } from './judge-sandbox.ts';
import { sent, type SentTo } from './sent-text.ts';

/** What `expect.extend(matchers)` adds. */
export interface MockMatchers<Returned = void> {
  /** For what `judge()` resolves to: passes if the caller kept every clause that was exercised. */
  toBeFaithful(this: void): Returned;
  /**
   * For a mock: passes if the client sent a request that has this part, or any.
   *
   * @example
   *   expect(mock()).toHaveSent({ endpoint: 'chat', body: { max_tokens: 16 }, status: 200 });
   */
  toHaveSent(this: void, filter?: RequestFilter): Returned;
  /** For a mock: passes if the client sent exactly one request that has this part. */
  toHaveSentOnce(this: void, filter?: RequestFilter): Returned;
}

/** For `expect.extend`, of vitest and of jest. */
export const matchers = {
  toBeFaithful(summary: Summary) {
    const violations = violationsText(summary);
    const message = (): string => violations ?? 'the caller kept every clause that was exercised';
    return { pass: violations === undefined, message };
  },
  toHaveSent: (mock: SentTo, filter?: RequestFilter) => sent(mock, filter),
  toHaveSentOnce: (mock: SentTo, filter?: RequestFilter) => sent(mock, filter, 'toHaveSentOnce'),
};
