import { truncateSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { DefectName } from '../../../mock-server/defects/defects.ts';
import { startMock } from '../../../mock-server/start-mock.ts';
import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { readJournal, type Recording } from '../../../suites/kit/journal/read-journal.ts';
import type { RunOptions } from '../../../suites/kit/model/run.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { recordedFindings } from '../../../suites/kit/recorded/recorded-findings.ts';
import { rejudge } from '../../../suites/kit/recorded/rejudge.ts';
import { runSuites } from '../../../suites/kit/running/run-suites.ts';
import { summarise } from '../../../suites/kit/summary/summarise.ts';
import { journalledRun, shortRun } from '../support/journalled-run.ts';
import { merged, shardedRun, shardsOf } from './sharded-run.ts';

/** Of a run against a mock that answers with a defect, so that there is evidence. */
async function optionsOfRun(defect: DefectName = 'usage-absent'): Promise<RunOptions> {
  const mock = await startMock({ seed: 11, defect });
  onTestFinished(() => mock.close());
  const { url: baseUrl, keys } = mock;
  const target = {
    kind: 'live',
    baseUrl,
    keys: { primary: keys['primary'] ?? '' },
    profile: {},
    headers: {},
  } as const;
  return shortRun(target);
}

const verdictsOf = ({ checks }: Summary): readonly string[] =>
  checks.map(({ id, verdict, reason }) => `${id} ${verdict} ${reason}`);

function summariesOf(recording: Recording): readonly Summary[] {
  return [recordedFindings(recording, INVARIANTS), rejudge(recording, CHECKS, INVARIANTS)].map(summarise);
}

test('says the same of a run that holds no body in memory, with a journal and without', async () => {
  const options = await optionsOfRun();
  const whole = verdictsOf(await runSuites(options));
  expect(verdictsOf((await journalledRun({ ...options, heldBytes: 20_000 })).summary)).toEqual(whole);
  expect(verdictsOf(await runSuites({ ...options, heldBytes: 20_000 }))).toEqual(whole);
});

test('makes the same reports of a journal whose bodies stay in it', async () => {
  const { file, recording } = await journalledRun(await optionsOfRun());
  const small = readJournal(file, { heldBytes: 20_000 });
  expect(summariesOf(small)).toEqual(summariesOf(recording));
  expect(small.record.map(({ outcome }) => outcome)).toEqual(recording.record.map(({ outcome }) => outcome));
  truncateSync(file, 0);
  const large = small.record.filter(({ outcome }) => outcome.kind === 'answered');
  expect(() => large.map(({ outcome }) => outcome.kind === 'answered' && outcome.answer.body)).toThrow(
    RangeError,
  );
});

test('merges shards line by line: their bodies are read from the journals of the shards', async () => {
  const files = await shardedRun(shardsOf(await optionsOfRun(), 2));
  const { summary, entries } = merged(files);
  expect(summary.outcome).toBe('violations');
  expect(entries.at(-1)?.type).toBe('finished');
});
