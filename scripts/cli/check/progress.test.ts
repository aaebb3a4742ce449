import { expect, test } from 'vitest';
import type { Progress } from '../../../suites/engine/model/run.ts';
import { progressOn } from './progress.ts';

function at(done: number): Progress {
  const spent = { requests: done * 2, completions: done, outputTokens: 0, uncertain: 0 };
  return { stimulus: 'one-unknown-field', done, total: 8, spent };
}

function written(isTTY: boolean, steps: readonly Progress[]): string {
  let text = '';
  const view = progressOn({ isTTY, columns: 60, write: (more) => (text += more) });
  for (const step of steps) view.onProgress(step);
  view.end();
  return text;
}

test('writes one line per quarter given a screen that is no terminal', () => {
  const steps = [1, 2, 3, 7, 8].map(at);
  expect(written(false, steps).split('\n')).toEqual([
    '2 of 8 inputs sent, 4 requests, 2 completions',
    '7 of 8 inputs sent, 14 requests, 7 completions',
    '8 of 8 inputs sent, 16 requests, 8 completions',
    '',
  ]);
});

test('writes over one line and clears it given a terminal', () => {
  const text = written(true, [at(1)]);
  const line = '1/8 inputs · 2 requests, 1 completion · one-unknown-field';
  expect(text.split('\r\u001b[2K')).toEqual(['', line, '']);
});
