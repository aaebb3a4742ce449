import { parse } from 'yaml';
import { z } from 'zod';
import { COMPOSE } from './recipe.ts';

const service = z.object({
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  profiles: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  healthcheck: z.object({ test: z.array(z.string()).optional() }).optional(),
});

/** What the example of a stack says. */
export function composed(): { readonly services: Readonly<Record<string, z.infer<typeof service>>> } {
  return z.object({ services: z.record(z.string(), service) }).parse(parse(COMPOSE));
}
