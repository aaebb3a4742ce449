import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { COMMAND } from '../support/command.ts';

const FULL = '/dev/full';

/** A file on a disk without space. */
function fullDisk(): number {
  const fd = openSync(FULL, 'w');
  onTestFinished(() => closeSync(fd));
  return fd;
}

test.skipIf(!existsSync(FULL))(
  'says in one line that its answer could not be written, and exits 2',
  async () => {
    const child = spawn(process.execPath, [COMMAND, 'list'], { stdio: ['ignore', fullDisk(), 'pipe'] });
    const [said, [code]] = await Promise.all([text(child.stderr ?? Readable.from([])), once(child, 'close')]);
    expect(said).toBe('error: cannot write to standard output (ENOSPC)\n');
    expect(code).toBe(2);
  },
);

test.skipIf(!existsSync(FULL))('serves on when the log of the mock cannot be written', async () => {
  const args = [COMMAND, 'mock', '--port', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', fullDisk()] });
  const ended = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  const first = once(createInterface({ input: child.stdout ?? Readable.from([]) }), 'line');
  const [line = '{}']: string[] = await Promise.race([first, ended]).then((values) => values.map(String));
  const { url }: { url: string } = JSON.parse(line);
  expect((await fetch(`${url}/models`)).status).toBe(401);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
