import { type DefectName, DEFECTS, defectNames } from '../../fixtures/defects.ts';
import { startMock } from '../../mock-server/start-mock.ts';
import type { ProvedWorld, Standing } from './proved-world.ts';

/** With a defect of an open clause, the profile pins what it drifts from. */
async function start(seed: number, defect?: DefectName): Promise<Standing> {
  const mock = await startMock({ seed, control: true, ...(defect && { defect }) });
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
