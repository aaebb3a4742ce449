import { expect, test } from 'vitest';
import type { Verdict } from '../engine/model/summary.ts';
import { noAutomaticRetry } from './after-failures.ts';
import { judgeCaller } from './judge-caller.ts';
import { body, chat, timeline } from './test-support/timeline.ts';
import type { Timeline } from './timeline.ts';

const UNMET = 'its fault (gateway_failure) never triggered';

function verdicts(timelines: readonly Timeline[]): { whole: Verdict; scenarios: readonly string[] } {
  const { checks, scenarios } = judgeCaller(timelines, [noAutomaticRetry]);
  return {
    whole: checks[0]?.verdict ?? 'error',
    scenarios: scenarios.map(([first]) => `${first?.verdict} ${first?.reason}`.trim()),
  };
}

test('does not let a scenario pass whose fault met no request, and still finds what it breaks', () => {
  const refused = chat(0, { body: body('a'), outcome: 'other' });
  const unmet = { scenario: 'charged-and-lost', unmet: UNMET };
  expect(verdicts([timeline([refused], unmet)])).toEqual({
    whole: 'not-exercised',
    scenarios: [`not-exercised ${UNMET}`],
  });
  const again = chat(20, { body: refused.body, idempotencyKey: refused.idempotencyKey });
  expect(verdicts([timeline([refused, again], unmet)]).whole).toBe('fail');
});

test('says of each scenario what a check says of it', () => {
  const lost = timeline([chat(0, { outcome: 'gateway' })], { scenario: 'charged-and-lost' });
  const plain = timeline([chat(0)], { scenario: 'plain-use' });
  expect(verdicts([plain, lost])).toEqual({
    whole: 'pass',
    scenarios: ['not-exercised no completion failed, so there was nothing to retry', 'pass'],
  });
});

test('does not let a check pass that a scenario leaves in doubt', () => {
  const gaveUp = timeline([chat(0, { outcome: 'gateway' })], { scenario: 'charged-and-lost' });
  const work = { body: body('a') };
  const sentAgain = timeline([chat(0, { ...work, outcome: 'rate-limit' }), chat(50, work)]);
  expect(verdicts([gaveUp, sentAgain]).whole).toBe('inconclusive');
  const retried = timeline([chat(0, { ...work, outcome: 'gateway' }), chat(50, work)]);
  expect(verdicts([gaveUp, sentAgain, retried]).whole).toBe('fail');
});

test('says which duties of a clause the scenarios did not lead to', () => {
  const limited = chat(0, { outcome: 'rate-limit' });
  const { checks } = judgeCaller([timeline([limited])], [noAutomaticRetry]);
  expect(checks[0]?.duties).toEqual([
    { duty: 'retries nothing after a rate limit error', verdict: 'pass', reason: '' },
    ...['another refusal', 'a lost answer'].map((what) => ({
      duty: `retries nothing after ${what}`,
      verdict: 'not-exercised',
      reason: 'no exchange tested it',
    })),
  ]);
});
