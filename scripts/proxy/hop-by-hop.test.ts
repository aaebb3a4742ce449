import { expect, test } from 'vitest';
import { headerIn, headerRecord, passedHeaders } from './hop-by-hop.ts';

const RAW = [
  'Host',
  'a',
  'X-Two',
  '1',
  'Connection',
  'close, X-Mine',
  'x-mine',
  '2',
  'x-two',
  '3',
  'TE',
  'trailers',
];

test('passes on everything but what belongs to the connection, in its order and spelling', () => {
  expect(passedHeaders(RAW, 'host')).toEqual(['X-Two', '1', 'x-two', '3']);
});

test('finds the first header of a name, and joins repeated ones', () => {
  expect(headerIn(RAW, 'x-two')).toBe('1');
  expect(headerIn(RAW, 'x-none')).toBeUndefined();
  expect(headerRecord(RAW)['x-two']).toBe('1, 3');
});
