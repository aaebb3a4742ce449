import { expect, test } from 'vitest';

import { cost, duration, type Order } from './order.ts';

const order: Order = {
  model: { id: 'm', contextTokens: 100, price: { input: 3, output: 5 }, latencyMs: 10, latencyPerTokenMs: 2 },
  modelId: 'm',
  stream: false,
  fault: null,
  inputTokens: 7,
  allowedTokens: 9,
};

test('costs the input and the output at their prices', () => {
  expect([cost(order, 0), cost(order, 9)]).toEqual([21, 66]);
});

test('takes as long as the model does, and no time for one that takes none', () => {
  expect(duration(order, 9)).toBe(28);
  expect(
    duration({ ...order, model: { id: 'm', contextTokens: 100, price: { input: 0, output: 0 } } }, 9),
  ).toBe(0);
});
