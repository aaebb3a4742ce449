import { z } from 'zod';
import { InputError, within } from '../input/input-error.ts';
import { type Sandbox, sandboxPrefix, type SandboxRequest } from '../sandboxes/sandboxes.ts';
import { changeWorld } from '../sandboxes/test-mock.ts';
import { keysByName } from '../world/caller.ts';
import { checkWorld } from '../world/check-world.ts';
import type { World } from '../world/world-schema.ts';
import { ControlError } from './guard.ts';
import { operation } from './operation.ts';
import { ANSWER_PLAN, answersSchema, compileRules, FAULT_PLAN, faultsSchema } from './rule-operations.ts';

const clockAnswer = z.strictObject({ kind: z.enum(['real', 'frozen']), now: z.iso.datetime() });

export type ClockAnswer = z.output<typeof clockAnswer>;

/** How to call a world, and how to control it. */
const worldAnswer = z.strictObject({
  id: z.string().nullable().describe("Null: the mock's own world"),
  url: z.url().describe('The base URL, which ends in /v1'),
  control: z.url(),
  keys: z.record(z.string(), z.string()).describe('The bearer keys, by name'),
  seed: z.int(),
  clock: clockAnswer,
});

export type WorldAnswer = z.output<typeof worldAnswer>;

function describeClock({ service }: Sandbox): ClockAnswer {
  const { kind, now } = service.time.state;
  return { kind, now: new Date(now).toISOString() };
}

function describeWorld(sandbox: Sandbox, origin: string): WorldAnswer {
  const { id, service } = sandbox;
  const prefix = sandboxPrefix(id);
  return {
    id,
    url: `${origin}${prefix}/v1`,
    control: `${origin}/control${prefix}`,
    keys: keysByName(service.world),
    seed: service.seed,
    clock: describeClock(sandbox),
  };
}

/** The last day of RFC 3339. */
const LATEST = Date.UTC(9999, 11, 31);

/** Described once in the whole API document; `checkWorld` checks it. */
const worldPart = z.unknown().meta({ $ref: '#/components/schemas/World' });

const wholeWorld = z.record(z.string(), z.unknown()).describe('As in a world file, keys included');

export const WORLD_OPERATIONS = [
  operation('GET', '', {
    name: 'describeWorld',
    summary: 'Returns how to call this world, and how to control it',
    answer: worldAnswer,
    run: ({ sandbox, origin }) => describeWorld(sandbox, origin),
  }),
  operation('GET', '/world', {
    name: 'readWorld',
    summary: 'Returns the whole world: models, keys, workspaces, limits and choices',
    answer: wholeWorld,
    run: ({ sandbox }) => sandbox.world,
  }),
  operation('PATCH', '/world', {
    name: 'changeWorld',
    summary:
      'Changes parts of a world while it runs, such as the credits that a workspace has left; null drops a key or a model',
    body: worldPart,
    answer: wholeWorld,
    run: ({ sandbox, body }) => changeWorld(sandbox, body),
  }),
  operation('POST', '/reset', {
    name: 'reset',
    summary:
      "Resets a world to its initial state; a reset of the mock's own world also deletes every sandbox",
    run({ sandboxes, sandbox }) {
      if (sandbox.id === null) sandboxes.reset();
      else sandbox.reset();
      sandboxes.feed?.emit('worlds');
    },
  }),
  operation('GET', '/clock', {
    name: 'readClock',
    summary: 'Returns the time of this world',
    answer: clockAnswer,
    run: ({ sandbox }) => describeClock(sandbox),
  }),
  operation('POST', '/clock', {
    name: 'moveClock',
    summary: 'Advances the clock, stops it, or lets it run with the real time',
    body: z
      .strictObject({
        advance: z.int().min(0).exactOptional().describe('Milliseconds'),
        freeze: z
          .union([z.literal(true), z.iso.datetime({ offset: true })], 'expected true or an RFC 3339 instant')
          .exactOptional(),
        real: z.literal(true).exactOptional(),
      })
      .refine((body) => Object.keys(body).length === 1, 'Expected one of advance, freeze and real'),
    answer: clockAnswer,
    run({ sandbox, body }) {
      const { time } = sandbox.service;
      const { advance, freeze } = body;
      if (advance !== undefined) {
        if (time.now() + advance > LATEST)
          throw new InputError(['advance'], 'The clock cannot go beyond the year 9999');
        time.advance(advance);
      } else if (freeze === undefined) time.run();
      else time.freeze(freeze === true ? undefined : Date.parse(freeze));
      return describeClock(sandbox);
    },
  }),
];

const newSandbox = z.strictObject({
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
  const service = { world: checked.world };
  return {
    ...given,
    ...checked,
    ...(faults !== undefined && { faults: compileRules(FAULT_PLAN, faults, service, ['faults']) }),
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
      const problem = 'The ID is taken, or there are 10,000 sandboxes';
      if (made === null) throw new ControlError(409, 'sandbox_exists', problem, '/id');
      return describeWorld(made, origin);
    },
  }),
  operation('GET', '/sandboxes', {
    name: 'listSandboxes',
    about: 'mock',
    summary: 'Lists the sandboxes in the order of their creation',
    answer: z.strictObject({ sandboxes: z.array(worldAnswer) }),
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
