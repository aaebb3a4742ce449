import { expect, test } from 'vitest';
import { priceOf } from './model-price.ts';

test.each([
  [{ price: 3 }, 3],
  [{ pricing: { input: 1, output: 2 } }, 3],
  [{ pricing: { prompt: '0.5', completion: '1.5', image: '9' } }, 2],
  [{ input_price: 1, output_price: 4 }, 5],
  [{ cost: { per_token: 2 } }, 2],
  [{ pricing: { input: { credits: 1 }, output: { credits: 2 } } }, 3],
  [{ pricing: { prompt: '0', completion: '0' } }, 0],
  [{ pricing: { currency: 'EUR' } }, undefined],
  [{ price: -1 }, undefined],
  [{ created: 5 }, undefined],
])('reads the price of %j as %s', (record, price) => {
  expect(priceOf(record)).toBe(price);
});

test.each([
  { price: null },
  { price: '' },
  { price: ' ' },
  { price: true },
  { price: 'free' },
  { price: '1e999' },
])('reads no price from %j', (record) => {
  expect(priceOf(record)).toBeUndefined();
});

test('looks for prices three levels deep', () => {
  expect(priceOf({ pricing: { a: { b: { c: 1 } } } })).toBe(1);
  expect(priceOf({ pricing: { a: { b: { c: { d: 1 } } } } })).toBeUndefined();
});
