import { expect, onTestFinished, test } from 'vitest';
import { startSoakMock } from '../../soak/soak-run.ts';
import { SoakTraffic } from '../../soak/soak-traffic.ts';

const DEEDS = 400;

test('bears mixed traffic with faults, repeats, aborts, resets, sandboxes and control calls', async () => {
  const { mock, sample, stop } = await startSoakMock();
  onTestFinished(stop);
  const before = await sample();
  const traffic = new SoakTraffic(mock, 7);
  await traffic.run(8, () => traffic.done >= DEEDS);
  const kinds = new Set([...traffic.ends.keys()].map((end) => end.split(' ')[0]));
  expect(kinds).toEqual(
    new Set(['chat', 'fault', 'repeat', 'resolve', 'abort', 'refused', 'raw', 'sandbox', 'control']),
  );
  expect(await sample()).toMatchObject({ broken: [], sandboxes: 0 });
  await expect
    .poll(async () => (await sample()).handles, { timeout: 20_000 })
    .toBeLessThan(before.handles + 12);
});
