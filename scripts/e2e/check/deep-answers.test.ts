import { expect, onTestFinished, test } from 'vitest';
import { CHECKS } from '../../../suites/catalogue.ts';
import { journalledRun, shortRun } from '../support/journalled-run.ts';
import { startLayer } from '../support/layer.ts';

const DEPTH = 30_000;
const DEEP = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;

test('blames nobody for answers that are nested deeply where nothing says they must not be', async () => {
  const rewrite = (body: string): string => body.replaceAll(/^(data: )?\{/gm, `$1{"extra":${DEEP},`);
  const { mock, baseUrl, close } = await startLayer(() => undefined, {}, rewrite);
  onTestFinished(close);
  const { primary = '', ...others } = mock.keys;
  const { summary } = await journalledRun(
    shortRun(
      { kind: 'mock', baseUrl, keys: { primary, ...others }, profile: {}, headers: {} },
      {
        checks: CHECKS.filter(({ given }) => given.stage !== 'disruptive'),
        runs: 'fewest',
      },
    ),
  );
  const wrong = summary.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
  expect(wrong.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
});
