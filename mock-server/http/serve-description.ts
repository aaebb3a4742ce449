import type { ServerResponse } from 'node:http';
import { traceOf } from '../protocol/service-error.ts';
import type { Service } from '../sandboxes/service.ts';
import type { Choices } from '../world/world.ts';
import type { Connections } from './connections.ts';

/** Beside the endpoints of the specification: outside their prefix, and without a key. */
export const DESCRIPTION = '/openapi.json';

/** Answers with the OpenAPI document of a world. The clauses it quotes are loaded with the first such request. */
export function serveDescription(
  { world, log }: Pick<Service, 'world' | 'log'>,
  connections: Connections,
  response: ServerResponse,
): void {
  connections.began({ response });
  send(world.choices, response).catch((error: unknown) => {
    log(`the OpenAPI document failed: ${traceOf(error)}`);
    response.destroy();
  });
}

async function send(choices: Choices, response: ServerResponse): Promise<void> {
  const { describeService } = await import('../open-api/describe-service.ts');
  const text = Buffer.from(`${JSON.stringify(describeService(choices))}\n`);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length }).end(text);
}
