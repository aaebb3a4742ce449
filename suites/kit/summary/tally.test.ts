import { expect, test } from 'vitest';
import { notExercised } from '../model/ruling.ts';
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
