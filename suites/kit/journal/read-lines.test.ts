import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lineAgain, linesOf } from './read-lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['', '\n', 'a', 'a\n', 'é€😀\nb\n\nlast', `${'long'.repeat(50)}\r\n\u2028x\n`])(
  'gives the lines of %j, whatever pieces it is read in',
  (text) => {
    const file = join(folder, 'lines');
    writeFileSync(file, text);
    for (const size of [1, 2, 3, 7, 1000]) {
      const lines = [...linesOf(file, size)];
      expect(lines.map((line) => line.text)).toEqual(text.split('\n'));
      for (const line of lines) expect(lineAgain(file, line, String)).toBe(line.text);
    }
  },
);
