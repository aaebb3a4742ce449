import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { attackedRun } from '../../attack/attacked-run.ts';
import { ATTACKS, type AttackName } from '../../attack/attacks.ts';
import { COMMAND } from '../support/command.ts';

const NAMES = Object.keys(ATTACKS).filter((name): name is AttackName => Object.hasOwn(ATTACKS, name));
const SMOKE = ['--tier', 'smoke', '--seed', '4', '--timeout', '20000'];
const BUILT = { command: [COMMAND] };

async function bounded(name: AttackName) {
  const run = await attackedRun(name, ATTACKS[name].small, { ...BUILT, args: SMOKE });
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
    const { code, outcome, stderr } = await attackedRun('escaped-escapes', 4_000_000, {
      ...BUILT,
      signal,
      args,
    });
    expect(stderr).toContain('Finishing the requests in flight');
    expect(code).toBe(130);
    expect(outcome).toBeDefined();
  },
);

const ATTACK = fileURLToPath(new URL('../../attack/attack.ts', import.meta.url));

/** What its kernel says of a process, by its ID; nothing once it has ended. */
function accountOf(id: string, name: 'cmdline' | 'stat' | `task/${string}/children`): string {
  try {
    return readFileSync(`/proc/${id}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

const childrenOf = ({ pid }: ChildProcess): string[] =>
  accountOf(`${pid}`, `task/${pid}/children`)
    .split(' ')
    .filter((id) => id !== '');

/** Those that have ended wait as zombies where nobody asks for how they did. */
const lives = (id: string): boolean => !/^$|\) Z /.test(accountOf(id, 'stat'));

test.runIf(process.platform === 'linux')(
  'leaves no process and no folder behind given an attack that is killed',
  async () => {
    const attack = spawn(process.execPath, [
      '--import',
      import.meta.resolve('tsx'),
      ATTACK,
      'one-byte-chunks=60000000',
    ]);
    onTestFinished(() => void attack.kill('SIGKILL'));
    const ended = once(attack, 'exit');
    // The service, the keeper of the folder, and the command.
    await expect.poll(() => childrenOf(attack).length, { timeout: 30_000, interval: 20 }).toBe(3);
    const children = childrenOf(attack);
    const commands = (): string => children.map((id) => accountOf(id, 'cmdline')).join('');
    await expect.poll(commands, { timeout: 10_000 }).toMatch(/--report\0\/.*out\0/);
    const [, folder = ''] = /--report\0([^\0]+)\/out\0/.exec(commands()) ?? [];
    // From then on the command makes no folder any more.
    await expect
      .poll(() => existsSync(join(folder, 'out', 'journal.ndjson')), { timeout: 30_000 })
      .toBe(true);
    attack.kill('SIGKILL');
    await ended;
    await expect.poll(() => children.filter(lives), { timeout: 30_000 }).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  },
  90_000,
);
