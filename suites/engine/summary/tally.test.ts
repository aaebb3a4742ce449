import { expect, test } from 'vitest';
import { HOLDS, inconclusive, notExercised } from '../model/ruling.ts';
import { Tally } from './tally.ts';

test('keeps the first reason with a hint, whatever precedes it', () => {
  const tally = new Tally();
  for (const ruling of [
    notExercised('asked for no stream'),
    notExercised('no text', 'pin "stream.text"'),
    notExercised('no usage', 'pin "stream.usage"'),
  ])
    tally.add(ruling, { exchanges: [] });
  expect(tally.notExercised).toMatchObject({ reason: 'no text', hint: 'pin "stream.text"' });
});

test('counts the rulings on each duty apart, beside those on all', () => {
  const tally = new Tally();
  tally.add({ ...HOLDS, duties: ['text'] }, { exchanges: [] });
  tally.add({ ...inconclusive('it broke'), duties: ['text', 'stream'] }, { exchanges: [] });
  tally.add(HOLDS, { exchanges: [] });
  const counts = [tally, ...tally.duties.values()].map(({ held, inconclusive: doubt }) => [held, doubt]);
  expect([...tally.duties.keys()]).toEqual(['text', 'stream']);
  expect(counts).toEqual([
    [2, 'it broke'],
    [1, 'it broke'],
    [0, 'it broke'],
  ]);
});
