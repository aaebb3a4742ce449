import { hash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../../mock-server/start-mock.ts';
import { CHECKS } from '../../../suites/catalogue.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { runSuites } from '../../../suites/kit/running/run-suites.ts';
import { sizeOf } from '../../cli/check/check-defaults.ts';
import { shortRun } from '../support/journalled-run.ts';

/** What is sent alone is judged by its time, or by what else is under way. */
const JUDGED_BY_TIME = CHECKS.filter(({ given }) => given.alone === true);

const LOAD = Buffer.alloc(4 * 1024 * 1024);

/** Keeps this process, in which both the run and the mock are, from doing more than a little in each turn of its loop. */
function keepBusy(): void {
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const work = (): void => {
    hash('sha256', LOAD);
    if (!isOver) setImmediate(work);
  };
  work();
}

async function run(): Promise<Summary> {
  const mock = await startMock({ seed: 1 });
  onTestFinished(() => mock.close());
  const { primary = '' } = mock.keys;
  const target = { baseUrl: mock.url, kind: 'live', keys: { primary }, profile: {}, headers: {} } as const;
  return runSuites(
    shortRun(target, { ...sizeOf('full', 'live'), checks: JUDGED_BY_TIME, allow: new Set(['disruptive']) }),
  );
}

const verdictsOf = ({ checks }: Summary) => checks.map(({ id, verdict }) => `${id} ${verdict}`);

test('gives the same verdicts on the mock however busy the machine is', async () => {
  const quiet = verdictsOf(await run());
  expect(quiet).toContain('rate-limit-error pass');
  expect(quiet).toContain('stream-is-buffered pass');
  keepBusy();
  expect(verdictsOf(await run())).toEqual(quiet);
}, 60_000);
