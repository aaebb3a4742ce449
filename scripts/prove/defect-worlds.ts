import { type DefectName, DEFECTS, defectNames } from '../../fixtures/defects.ts';
import { startMock } from '../../mock-server/start-mock.ts';
import type { ProvedWorld, Standing } from './proved-world.ts';

/** The mock with each of its defects, or with none, and the profile that pins what the defect drifts from. */
async function start(seed: number, defect: DefectName): Promise<Standing> {
  const mock = await startMock({ seed, control: true, defect });
  const { primary = '', ...others } = mock.keys;
  const { pins } = DEFECTS[defect];
  return {
    baseUrl: mock.url,
    keys: { primary, ...others },
    ...(mock.control !== undefined && { controlUrl: mock.control }),
    ...(pins && { profile: { pins } }),
    close: () => mock.close(),
  };
}

export const DEFECT_WORLDS: readonly ProvedWorld[] = defectNames().map((name) => ({
  name,
  kind: 'defect',
  start: (seed) => start(seed, name),
}));
