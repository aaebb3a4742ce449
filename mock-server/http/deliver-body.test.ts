import { expect, test } from 'vitest';
import { endOfEvents } from './rewrite-answer.ts';

test.each(['\n', '\r\n'])(
  'counts events and their blank lines, and no comments, given lines ended by %j',
  (end) => {
    const blocks = [': hello', 'data: 1', 'event: a\ndata: 2', 'data: [DONE]'].map(
      (block) => block.replaceAll('\n', end) + end + end,
    );
    const upTo = (count: number): number => blocks.slice(0, count).join('').length;
    const stream = blocks.join('');
    expect([0, 1, 2, 3, 9].map((events) => endOfEvents(stream, events))).toEqual([
      0,
      ...[2, 3, 4, 4].map(upTo),
    ]);
  },
);
