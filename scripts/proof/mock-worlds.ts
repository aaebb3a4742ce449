import { type DefectName, DEFECTS, defectNames } from '../../mock-server/defects/defects.ts';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import { startMock } from '../../mock-server/start-mock.ts';
import type { World } from '../../mock-server/world/world.ts';
import type { ProvedWorld, Standing } from './proved-world.ts';

/** So slow that even on a busy machine it is told from the models that answer at once. */
const SLOW_MS = 250;

/** So few at once that a burst meets the limit within the caps of a live target, however busy the machine is. */
const AT_ONCE = 8;

const WORLD: World = {
  ...builtInWorld,
  keys: builtInWorld.keys.map((key) => ({ ...key, concurrency: AT_ONCE })),
  models: builtInWorld.models.map((model) =>
    model.latencyMs === undefined ? model : { ...model, latencyMs: SLOW_MS },
  ),
};

/** With a defect of an open clause, the profile pins what it drifts from. */
async function start(seed: number, defect?: DefectName): Promise<Standing> {
  const mock = await startMock({ world: WORLD, seed, control: true, ...(defect && { defect }) });
  const { primary = '', ...others } = mock.keys;
  const pins = defect && DEFECTS[defect].pins;
  return {
    baseUrl: mock.url,
    keys: { primary, ...others },
    ...(mock.control !== undefined && { controlUrl: mock.control }),
    ...(pins && { profile: { pins } }),
    close: () => mock.close(),
  };
}

/** The mock with each of its defects. */
export const DEFECT_WORLDS: readonly ProvedWorld[] = defectNames().map((name) => ({
  name,
  kind: 'defect',
  start: (seed) => start(seed, name),
}));

/** The mock as it is out of the box. */
export const FAITHFUL_MOCK: ProvedWorld = { name: 'mock', kind: 'variant', start: (seed) => start(seed) };
