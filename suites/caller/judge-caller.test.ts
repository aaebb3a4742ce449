import { expect, test } from 'vitest';
import type { Verdict } from '../kit/model/summary.ts';
import { judgeCaller } from './judge-caller.ts';
import { noAutomaticRetry } from './no-automatic-retry.ts';
import type { Timeline } from './observed/timeline.ts';
import { body, chat, GATEWAY, timeline } from './test-support/timeline.ts';

const UNMET = 'its fault (gateway_failure) met no request';

function verdicts(timelines: readonly Timeline[]): { whole: Verdict; scenarios: readonly string[] } {
  const { checks, scenarios } = judgeCaller(timelines, [noAutomaticRetry], () => ['charged-and-lost']);
  return {
    whole: checks[0]?.verdict ?? 'error',
    scenarios: scenarios.map(([first]) => `${first?.verdict} ${first?.reason}`.trim()),
  };
}

test('does not let a scenario pass whose fault met no request, and still finds what it breaks', () => {
  const refused = chat(0, { body: body('a'), outcome: { kind: 'refused', why: 'other' } });
  const unmet = { scenario: 'charged-and-lost', unmet: UNMET };
  expect(verdicts([timeline([refused], unmet)])).toEqual({
    whole: 'not-exercised',
    scenarios: [`not-exercised ${UNMET}`],
  });
  const again = chat(20, { body: refused.body, idempotencyKey: refused.idempotencyKey });
  expect(verdicts([timeline([refused, again], unmet)]).whole).toBe('fail');
});

test('says of each scenario what a check says of it', () => {
  const lost = timeline([chat(0, { outcome: GATEWAY })], { scenario: 'charged-and-lost' });
  const plain = timeline([chat(0)], { scenario: 'plain-use' });
  expect(verdicts([plain, lost])).toEqual({
    whole: 'pass',
    scenarios: ['not-exercised no completion failed, so there was nothing to retry', 'pass'],
  });
});
