import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { InputError, within } from '../input/input-error.ts';
import { type Sandbox, sandboxPrefix, type SandboxRequest } from '../sandboxes/sandboxes.ts';
import { changeWorld } from '../sandboxes/test-mock.ts';
import { keysByName } from '../world/caller.ts';
import { checkWorld } from '../world/check-world.ts';
import type { World } from '../world/world-schema.ts';
import { ControlError } from './guard.ts';
import { operation } from './operation.ts';
import { ANSWER_PLAN, compileRules, FAULT_PLAN } from './rule-operations.ts';

function describeClock({ service }: Sandbox) {
  const { kind, now } = service.time.state;
  return { kind, now: new Date(now).toISOString() };
}

export type WorldAnswer = ReturnType<typeof describeWorld>;

function describeWorld(sandbox: Sandbox, { headers, socket }: IncomingMessage) {
  const { id, service } = sandbox;
  const { host = '' } = headers;
  // As the caller has it, if that is a valid authority.
  const authority = /^[\w.\-:[\]]+$/.test(host) ? host : `${socket.localAddress}:${socket.localPort}`;
  const origin = `http://${authority}`;
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

export const WORLD_OPERATIONS = [
  operation('GET', '', {
    name: 'describeWorld',
    summary: 'Returns how to call this world, how to control it, and its time',
    run: ({ sandbox, message }) => describeWorld(sandbox, message),
  }),
  operation('GET', '/world', {
    name: 'readWorld',
    summary: 'Returns the whole world: models, keys, workspaces, limits and choices',
    run: ({ sandbox }) => sandbox.world,
  }),
  operation('PATCH', '/world', {
    name: 'changeWorld',
    summary:
      'Changes parts of a world while it runs, such as the credits that a workspace has left; null drops a key or a model',
    body: worldPart,
    run: ({ sandbox, body }) => changeWorld(sandbox, body),
  }),
  operation('POST', '/reset', {
    name: 'reset',
    summary:
      "Resets a world to its initial state; a reset of the mock's own world also deletes every sandbox",
    run({ sandboxes, sandbox }) {
      if (sandbox.id === null) sandboxes.reset();
      else sandbox.reset();
    },
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
  faults: FAULT_PLAN.body.exactOptional().describe('Armed at the start, and again after each reset'),
  answers: ANSWER_PLAN.body.exactOptional().describe('Chosen answers: armed as the faults are'),
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
    run({ sandboxes, body, message }) {
      const made = sandboxes.create(requestFrom(body, sandboxes.root.world));
      const problem = 'The ID is taken, or there are 10,000 sandboxes';
      if (made === null) throw new ControlError(409, 'sandbox_exists', problem, '/id');
      return describeWorld(made, message);
    },
  }),
  operation('GET', '/sandboxes', {
    name: 'listSandboxes',
    about: 'mock',
    summary: 'Lists the sandboxes in the order of their creation',
    run: ({ sandboxes, message }) => ({
      sandboxes: sandboxes.list().map((sandbox) => describeWorld(sandbox, message)),
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
