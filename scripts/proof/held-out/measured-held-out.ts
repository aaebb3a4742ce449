import { FAITHFUL_MOCK } from '../mock-worlds.ts';
import { type HeldOutFigures, heldOutFigures } from './held-out-figures.ts';
import { surveyOf } from './survey-of.ts';

/** What runs find of the families, drawn for the mock as it is out of the box. */
export async function measuredHeldOut(): Promise<HeldOutFigures> {
  const standing = await FAITHFUL_MOCK.start(1);
  try {
    return await heldOutFigures(await surveyOf(standing));
  } finally {
    await standing.close();
  }
}
