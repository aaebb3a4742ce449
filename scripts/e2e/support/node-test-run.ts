import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs a program of node:test in a process of its own. `output`: what its runner printed; `stderr`: its warnings. */
export async function runNodeTest(program: string): Promise<{
  code: unknown;
  output: string;
  stderr: string;
}> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, output, stderr };
}
