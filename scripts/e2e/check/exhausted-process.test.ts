import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../../mock-server/start-mock.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { COMMAND, resultOf } from '../support/command.ts';

/** Enough for the command itself, and for a few connections. */
const OPEN_FILES = 40;

test.skipIf(process.platform === 'win32')(
  'sends nobody to the workspace for requests that found no file descriptor',
  async () => {
    const mock = await startMock({ latency: 30 });
    const folder = mkdtempSync(join(tmpdir(), 'exhausted-'));
    onTestFinished(async () => {
      rmSync(folder, { recursive: true });
      await mock.close();
    });
    const flags = `--base-url ${mock.url} --seed 1 --runs 3 --concurrency 64 --only REQ-6 --report ${folder}`;
    const command = [process.execPath, COMMAND, ...flags.split(' ')];
    const child = spawn('sh', ['-c', `ulimit -n ${OPEN_FILES}; exec "$@"`, 'sh', ...command], {
      env: { ...process.env, CHAT_API_KEY: mock.keys['primary'] },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await resultOf(child);
    const { uncertain }: Summary = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    expect(uncertain).toEqual([]);
    expect(readFileSync(join(folder, 'journal.ndjson'), 'utf8')).toContain('too many open files (EMFILE)');
  },
);
