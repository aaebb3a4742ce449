import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { answered } from '../test-support/exchange.ts';
import { KeptBodies } from './kept-bodies.ts';

const BODY = Buffer.alloc(1000, 65);
const sha256 = createHash('sha256').update(BODY).digest('hex');
const large = (more: object = {}) => answered({ body: BODY, pieces: [{ at: 5, upTo: 1000 }], ...more });

test('keeps exchanges while there is room for their bodies, and of later ones the size and the hash', () => {
  const bodies = new KeptBodies(2200);
  const exchanges = [large(), large(), large()];
  const [first, second, third] = exchanges.map((each) => bodies.keep(each));
  expect([first, second]).toEqual(exchanges.slice(0, 2));
  expect(exchanges.map((each) => bodies.keep(each))).toEqual([first, second, third]);
  expect(third).toMatchObject({
    outcome: { answer: { status: 200, body: new Uint8Array(), pieces: [], whole: { bytes: 1000, sha256 } } },
  });
});

test('leaves the size and the hash of a body of which only the beginning had been kept', () => {
  const whole = { bytes: 9_000_000, sha256: 'of all of it' };
  expect(new KeptBodies(0).keep(large({ whole }))).toMatchObject({ outcome: { answer: { whole } } });
});
