import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { linesOf, LONGEST_LINE } from './read-lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['', '\n', 'a', 'a\n', 'é€😀\nb\n\nlast', `${'long'.repeat(50)}\r\n\u2028x\n`])(
  'gives the lines of %j, whatever pieces it is read in',
  (text) => {
    const file = join(folder, 'lines');
    writeFileSync(file, text);
    for (const size of [1, 2, 3, 7, 1000]) expect([...linesOf(file, size)]).toEqual(text.split('\n'));
  },
);

test('refuses what is no regular file before it reads it', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  for (const file of [pipe, '/dev/zero', folder])
    expect(() => linesOf(file).next()).toThrow(`${file} is not a regular file: save what it gives in one`);
});

test('reads a line of the greatest length, and no longer one', () => {
  const file = join(folder, 'long');
  writeFileSync(file, `${'x'.repeat(LONGEST_LINE - 1)}\n`);
  expect(linesOf(file).next().value?.length).toBe(LONGEST_LINE - 1);
  writeFileSync(file, `${'x'.repeat(LONGEST_LINE)}\n`);
  expect(() => linesOf(file).next()).toThrow(`${file} has a line of more than 32 MB: no journal has`);
});
