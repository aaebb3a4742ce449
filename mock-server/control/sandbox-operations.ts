import { z } from 'zod';
import { closedObject } from '../input/closed-object.ts';
import { within } from '../input/input-error.ts';
import type { SandboxRequest } from '../sandboxes/sandboxes.ts';
import { checkWorld } from '../world/check-world.ts';
import type { World } from '../world/world.ts';
import { ControlError } from './guard.ts';
import { operation } from './operation.ts';
import { ANSWER_PLAN, answersSchema, compileRules, FAULT_PLAN, faultsSchema } from './rule-operations.ts';
import { describeWorld, worldAnswer, worldPart } from './world-operations.ts';

const newSandbox = closedObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'Up to 64 lower-case letters, digits and hyphens are needed here')
    .exactOptional()
    .describe('Absent: the next free ID of s1, s2, …'),
  seed: z.int().min(0).exactOptional().describe('Absent: the seed of the mock'),
  world: worldPart
    .exactOptional()
    .describe(
      "The differences from the mock's own world. With keys among them, the keys are as they say; otherwise the sandbox gets its own keys",
    ),
  faults: faultsSchema.exactOptional().describe('Armed at the start, and again after each reset'),
  answers: answersSchema.exactOptional().describe('Chosen answers: armed as the faults are'),
});

function requestFrom(
  { world: part, faults, answers, ...given }: z.output<typeof newSandbox>,
  base: World,
): SandboxRequest {
  const checked = part === undefined ? { world: base } : within(['world'], () => checkWorld(part, base));
  const service = { world: checked.world, certified: undefined };
  return {
    ...given,
    ...checked,
    ...(faults !== undefined && {
      faults: compileRules(FAULT_PLAN, faults, service, ['faults']),
    }),
    ...(answers !== undefined && { answers: compileRules(ANSWER_PLAN, answers, service, ['answers']) }),
  };
}

export const SANDBOX_OPERATIONS = [
  operation('POST', '/sandboxes', {
    name: 'createSandbox',
    about: 'mock',
    summary: 'Creates an isolated world with its own base URL',
    body: newSandbox,
    status: 201,
    answer: worldAnswer,
    run({ sandboxes, body, origin }) {
      const made = sandboxes.create(requestFrom(body, sandboxes.root.world));
      if (made === null)
        throw new ControlError(
          409,
          'sandbox_exists',
          'The ID is taken, or there are 10,000 sandboxes',
          '/id',
        );
      return describeWorld(made, origin);
    },
  }),
  operation('GET', '/sandboxes', {
    name: 'listSandboxes',
    about: 'mock',
    summary: 'Lists the sandboxes in the order of their creation',
    answer: closedObject({ sandboxes: z.array(worldAnswer) }),
    run: ({ sandboxes, origin }) => ({
      sandboxes: sandboxes.list().map((sandbox) => describeWorld(sandbox, origin)),
    }),
  }),
  operation('DELETE', '/sandboxes/{sandbox}', {
    name: 'deleteSandbox',
    about: 'mock',
    summary: 'Deletes a sandbox, and cuts its running requests',
    run({ sandboxes, named }) {
      if (!sandboxes.delete(named))
        throw new ControlError(404, 'unknown_sandbox', 'There is no such sandbox');
    },
  }),
];
