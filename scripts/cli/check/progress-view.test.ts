import { expect, test } from 'vitest';
import type { Progress } from '../../../suites/engine/model/run.ts';
import { progressView } from './progress-view.ts';

function at(stage: Progress['stage'], done: number, pass: Progress['pass'] = 'first'): Progress {
  const spent = { requests: done * 2, completions: done, outputTokens: 0, uncertain: 0 };
  return { pass, stage, stimulus: 'one-unknown-field', done, total: 4, spent };
}

function written(isTTY: boolean, steps: readonly Progress[]): string {
  let text = '';
  const view = progressView({ isTTY, columns: 60, write: (more) => (text += more) });
  for (const step of steps) view.show(step);
  view.end();
  return text;
}

test('writes one line per stage and pass given a screen that is no terminal', () => {
  const steps = [at('free', 1), at('free', 2), at('paid', 3), at('paid', 4, 'second')];
  expect(written(false, steps).split('\n')).toEqual([
    'free: 2 of 4 done, 4 requests, 2 completions',
    'paid: 3 of 4 done, 6 requests, 3 completions',
    'paid, again: 4 of 4 done, 8 requests, 4 completions',
    '',
  ]);
});

test('writes over one line and clears it given a terminal', () => {
  const text = written(true, [at('free', 1)]);
  expect(text.split('\r\u001b[2K')).toEqual([
    '',
    'free 1/4 · 2 requests, 1 completions · one-unknown-field',
    '',
  ]);
});
