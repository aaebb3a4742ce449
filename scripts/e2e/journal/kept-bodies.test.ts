import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../../mock-server/start-mock.ts';
import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { recordedFindings } from '../../../suites/kit/recorded/recorded-findings.ts';
import { rejudge } from '../../../suites/kit/recorded/rejudge.ts';
import { summarise } from '../../../suites/kit/summary/summarise.ts';
import { journalledRun, shortRun } from '../support/journalled-run.ts';

const OF_INVARIANTS = new Set(INVARIANTS.map(({ id }) => id));

const verdictsOf = ({ checks }: Summary): readonly string[] =>
  checks.filter(({ id }) => !OF_INVARIANTS.has(id)).map(({ id, verdict }) => `${id} ${verdict}`);

const failuresOf = ({ checks }: Summary): readonly string[] =>
  checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error').map(({ id }) => id);

test('judges the draws of a run that has no more room for bodies as those of any, and blames nobody for the others', async () => {
  const mock = await startMock({ seed: 11, defect: 'usage-absent' });
  onTestFinished(() => mock.close());
  const { url: baseUrl, keys } = mock;
  const target = {
    kind: 'live',
    baseUrl,
    keys: { primary: keys['primary'] ?? '' },
    profile: {},
    headers: {},
  } as const;
  const whole = await journalledRun(shortRun(target));
  const { summary, recording } = await journalledRun(shortRun(target, { keptBytes: 20_000 }));
  expect(failuresOf(whole.summary)).toContain('usage-returned');
  expect(verdictsOf(summary)).toEqual(verdictsOf(whole.summary));
  expect(failuresOf(whole.summary)).toEqual(expect.arrayContaining([...failuresOf(summary)]));
  expect(summarise(recordedFindings(recording, INVARIANTS))).toEqual(summary);
  const again = summarise(rejudge(recording, CHECKS, INVARIANTS));
  expect(failuresOf(whole.summary)).toEqual(expect.arrayContaining([...failuresOf(again)]));
});
