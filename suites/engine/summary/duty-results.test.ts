import { expect, test } from 'vitest';
import { HOLDS, inconclusive, notExercised, type Ruling } from '../model/ruling.ts';
import { dutyResults, verdictOf } from './check-verdict.ts';
import { Tally } from './tally.ts';

function results(decides: string | readonly string[], ...rulings: readonly Ruling[]): readonly string[] {
  const tally = new Tally();
  for (const ruling of rulings) tally.add(ruling, { exchanges: [] });
  const { duties = [] } = dutyResults(decides, tally, (each) => verdictOf(each, 'stated', {}));
  return duties.map(({ duty, verdict, reason }) => `${duty} ${verdict} ${reason}`.trim());
}

test('gives the one duty of a check its verdict', () => {
  expect(results('text', HOLDS)).toEqual(['text pass']);
  expect(results('text', notExercised('no text'))).toEqual(['text not-exercised no text']);
});

test('judges each of several duties by the trials that bear on it', () => {
  const holds = { ...HOLDS, duties: ['text'] };
  const broke = { ...inconclusive('it broke'), duties: ['text', 'stream'] };
  expect(results(['text', 'stream', 'image'], holds, broke)).toEqual([
    'text pass',
    'stream inconclusive it broke',
    'image not-exercised nothing that was sent bears on it',
  ]);
});

test('gives every duty the reason of a check that was not exercised at all', () => {
  expect(results(['text', 'stream'], notExercised('needs --control-url'))).toEqual([
    'text not-exercised needs --control-url',
    'stream not-exercised needs --control-url',
  ]);
});
