import { dirname } from 'node:path';
import { z } from 'zod';
import { type AnswerWords, readAnswers } from '../answers/compile-answers.ts';
import { each, parsed, within } from '../input/input-error.ts';
import { ruleInFile } from '../rules/rule-kind.ts';
import { checkWorld } from '../world/check-world.ts';
import { readJsonFile, withAnswersRead } from '../world/world-file.ts';
import { worldPartSchema, type World } from '../world/world-schema.ts';
import { compileFault, FAULT_KIND, type FaultWords } from './compile-faults.ts';

/** Faults, and the world in which they are armed. */
export interface Scenario {
  readonly faults: readonly FaultWords[];
  readonly answers?: readonly AnswerWords[];
  readonly seed?: number;
  readonly world?: World;
}

const scenarioSchema = z
  .strictObject({
    $schema: z.string().exactOptional(),
    faults: z.array(ruleInFile(FAULT_KIND)).exactOptional(),
    answers: worldPartSchema.shape.answers,
    seed: z.int().min(0).exactOptional(),
    world: worldPartSchema.exactOptional(),
  })
  .refine(({ faults, answers }) => (faults ?? answers) !== undefined, {
    path: ['faults'],
    error: 'expected faults, or answers, or both',
  });

/** Reads a scenario from a JSON file, `{ faults?, answers?, seed?, world? }`. Throws a JsonFileError that names the place. */
export function readScenarioFile(path: string): Promise<Scenario> {
  const folder = dirname(path);
  return readJsonFile(path, (value) => {
    const { faults = [], answers, seed, world } = parsed(scenarioSchema, value);
    return {
      faults: within(['faults'], () => each(faults, (given) => compileFault(given).words)),
      ...(answers && { answers: within(['answers'], () => readAnswers(answers, folder)) }),
      ...(seed !== undefined && { seed }),
      ...(world && { world: within(['world'], () => checkWorld(withAnswersRead(world, folder)).world) }),
    };
  });
}
