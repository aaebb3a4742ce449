import { dirname } from 'node:path';
import { z } from 'zod';
import { type AnswerWords, readAnswers } from '../answers/answer-schema.ts';
import { parsed, within } from '../input/input-error.ts';
import { ruleInFile } from '../rules/read-rule.ts';
import { readJsonFile, worldOf } from '../world/world-file.ts';
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
    faults: z
      .array(ruleInFile(FAULT_KIND, (given) => compileFault(given).words))
      .exactOptional()
      .describe('The fault plan: the first rule that matches triggers'),
    answers: worldPartSchema.shape.answers.describe('Chosen answers: the first that matches is given'),
    seed: z.int().min(0).exactOptional(),
    world: worldPartSchema.exactOptional().describe('What differs from the built-in world'),
  })
  .superRefine(({ faults, answers }, context) => {
    if (faults === undefined && answers === undefined)
      context.addIssue({ code: 'custom', path: ['faults'], message: 'expected faults, or answers, or both' });
  });

/** Reads a scenario from a JSON file, `{ faults?, answers?, seed?, world? }`. Throws a JsonFileError that names the place. */
export function readScenarioFile(path: string): Promise<Scenario> {
  const folder = dirname(path);
  return readJsonFile(path, (value) => {
    const { faults = [], answers, seed, world } = parsed(scenarioSchema, value);
    return {
      faults,
      ...(answers && { answers: within(['answers'], () => readAnswers(answers, folder)) }),
      ...(seed !== undefined && { seed }),
      ...(world && { world: within(['world'], () => worldOf(world, folder)) }),
    };
  });
}
