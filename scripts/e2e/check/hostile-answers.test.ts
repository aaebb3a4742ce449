import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ATTACKS, manyModels, startAttack } from '../support/attacks.ts';
import { type CommandResult, resultOf, spawnCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const SMOKE = ['--tier', 'smoke', '--seed', '4', '--timeout', '20000', '--quiet'];

interface AttackedRun extends CommandResult {
  readonly outcome: string | undefined;
}

/** Runs the command against a service that makes one attack. It stays within bounds of memory and of its journal. */
async function attackedRun(
  [onto, attack]: readonly ['models' | 'chat', Parameters<typeof startAttack>[1]],
  args: readonly string[] = [],
  onAttack: (child: ChildProcess) => void = () => {},
): Promise<AttackedRun> {
  const report = temporaryFolder();
  let isAttacked = false;
  const service = await startAttack(onto, attack, () => {
    isAttacked = true;
    onAttack(child);
  });
  onTestFinished(service.close);
  const child = spawnCommand([...SMOKE, '--base-url', service.baseUrl, '--report', report, ...args], {
    CHAT_API_KEY: 'sk-a-key-of-an-attack-4711',
  });
  let megabytes = 0;
  const timer = setInterval(() => (megabytes = Math.max(megabytes, peakOf(child))), 50);
  const result = await resultOf(child);
  clearInterval(timer);
  expect(isAttacked).toBe(true);
  expect(result.stderr).not.toContain('internal error');
  expect(megabytes).toBeLessThan(512);
  const journal = statSync(join(report, 'journal.ndjson'), { throwIfNoEntry: false });
  expect(journal?.size ?? 0).toBeLessThan(12e6);
  return { ...result, outcome: outcomeIn(join(report, 'report.json')) };
}

/** The most memory that a process has had, in MB; 0 where the system does not say, and once it has ended. */
function peakOf({ pid }: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}

function outcomeIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const { outcome }: { outcome?: string } = JSON.parse(readFileSync(file, 'utf8'));
  return outcome;
}

test.each(Object.entries(ATTACKS))(
  'ends in a report, with bounded memory and journal, given %s',
  async (_, [size, attack]) => {
    const { code, outcome } = await attackedRun(['chat', attack(size)]);
    expect([code, outcome]).toEqual([1, 'violations']);
  },
);

test('ends in a report, with bounded memory and journal, given millions of chunks of one byte each time', async () => {
  const [, attack] = ATTACKS['one-byte-chunks'];
  const { code, outcome } = await attackedRun(['chat', () => attack(6_000_000)]);
  expect([code, outcome]).toEqual([1, 'violations']);
});

test('says in one line why nothing was tested given a list of too many models', async () => {
  const { code, stderr } = await attackedRun(['models', manyModels(200_000)]);
  expect([code, stderr]).toEqual([4, expect.stringMatching(/^error: .*were kept: see "limits"/m)]);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'reports what it has given %s while a large answer arrives and is redacted',
  async (signal) => {
    const [, attack] = ATTACKS['escaped-escapes'];
    const { code, outcome, stderr } = await attackedRun(
      ['chat', attack(4_000_000)],
      ['--concurrency', '1'],
      (child) => setTimeout(() => child.kill(signal), 50),
    );
    expect(stderr).toContain('Finishing the requests in flight');
    expect(code).toBe(130);
    expect(outcome).toBeDefined();
  },
);
