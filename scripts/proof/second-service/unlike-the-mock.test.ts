import { expect, test } from 'vitest';
import type { ProofWorld } from '../model/proof-world.ts';
import { summaryOf } from '../proof-run.ts';
import { SECOND_SERVICE_WORLD } from '../variants/variant-worlds.ts';
import { FAITHFUL_MOCK } from '../worlds.ts';

/** What the suites observe of every open point. */
async function observedOf(world: ProofWorld): Promise<ReadonlyMap<string, string>> {
  const service = await world.start(1);
  const { open } = await summaryOf(service, 'full', { seed: 1 });
  await service.close();
  return new Map(open.map(({ point, observed }) => [point, JSON.stringify(observed)]));
}

/**
 * Where the tested client looks (VER-2), what any bounds have in common, what no service is asked to make sense of, and
 * a request ID that is not the caller's own key.
 */
const ALIKE = [
  'bounds.max_tokens.-1',
  'bounds.max_tokens.1',
  'bounds.temperature.0',
  'bounds.temperature.1',
  'bounds.temperature.2.1',
  'content.no_parts',
  'error.request_id.source',
  'message.no_content',
  'message.no_role',
  'models.id',
  'models.list',
  'stream.framing',
  'stream.text',
];

test('fills no open point as the mock does, beyond the few that leave no choice', async () => {
  const [second, mock] = [await observedOf(SECOND_SERVICE_WORLD), await observedOf(FAITHFUL_MOCK)];
  const alike = [...second].filter(([point, observed]) => mock.get(point) === observed);
  expect(second.size).toBeGreaterThan(50);
  expect(alike.map(([point]) => point).toSorted()).toEqual(ALIKE);
});
