import { expect, test } from 'vitest';
import { attackedRun } from '../../attack/attacked-run.ts';
import { ATTACKS, type AttackName } from '../../attack/attacks.ts';

const NAMES = Object.keys(ATTACKS).filter((name): name is AttackName => Object.hasOwn(ATTACKS, name));
const SMOKE = ['--tier', 'smoke', '--seed', '4', '--timeout', '20000'];

async function bounded(name: AttackName) {
  const run = await attackedRun(name, ATTACKS[name].small, { args: SMOKE });
  expect(run.stderr).not.toContain('internal error');
  expect(run.rss).toBeLessThan(512);
  expect(run.journalMB).toBeLessThan(12);
  return run;
}

test.each(NAMES.filter((name) => ATTACKS[name].at === 'chat'))(
  'ends in a report, with bounded memory and journal, given %s',
  async (name) => {
    const { code, outcome } = await bounded(name);
    expect([code, outcome]).toEqual([1, 'violations']);
  },
);

test('says in one line why nothing was tested given a list of too many models', async () => {
  const { code, stderr } = await bounded('models');
  expect([code, stderr]).toEqual([4, expect.stringMatching(/^error: .*were kept: see "limits"/m)]);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'reports what it has given %s while a large answer arrives and is redacted',
  async (signal) => {
    const args = [...SMOKE, '--concurrency', '1'];
    const { code, outcome, stderr } = await attackedRun('escaped-escapes', 4_000_000, { signal, args });
    expect(stderr).toContain('Finishing the requests in flight');
    expect(code).toBe(130);
    expect(outcome).toBeDefined();
  },
);
