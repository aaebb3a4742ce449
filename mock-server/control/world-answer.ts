import { z } from 'zod';

import type { Sandbox } from '../sandboxes/sandbox.ts';
import { sandboxPrefix } from '../sandboxes/sandbox-path.ts';
import { closedObject } from '../world/closed-object.ts';

export const clockAnswer = closedObject({
  kind: z.enum(['real', 'frozen']),
  now: z.iso.datetime(),
});

/** What is said of a world: how to call it, and how to control it. */
export const worldAnswer = closedObject({
  id: z.string().nullable().describe("Null: the mock's own world"),
  url: z.url().describe('The base URL, which ends in /v1'),
  control: z.url(),
  keys: z.record(z.string(), z.string()).describe('The bearer keys by their names'),
  seed: z.int(),
  clock: clockAnswer,
});

/** Milliseconds since 1970 as RFC 3339 has them, in UTC. */
function instant(ms: number): string {
  return new Date(ms).toISOString();
}

export function describeClock({ service }: Sandbox): z.input<typeof clockAnswer> {
  const { kind, now } = service.time.state;
  return { kind, now: instant(now) };
}

export function describeWorld(sandbox: Sandbox, origin: string): z.input<typeof worldAnswer> {
  const { id, service } = sandbox;
  const prefix = id === null ? '' : sandboxPrefix(id);
  return {
    id,
    url: `${origin}${prefix}/v1`,
    control: `${origin}/control${prefix}`,
    keys: Object.fromEntries(service.world.keys.map(({ name, key }) => [name, key])),
    seed: service.seed,
    clock: describeClock(sandbox),
  };
}
