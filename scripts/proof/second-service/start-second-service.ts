import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Choices, Model } from './choices.ts';
import { controlHandler, Faults } from './control.ts';
import { OWN_CHOICES } from './own-choices.ts';
import { Refusal, type Call, deliver, type Reply } from './reply.ts';
import { IdempotencyStore, type Caller, type Parts, STEPS } from './service.ts';
import { Workspace } from './workspace.ts';

export const SECOND_SERVICE_KEYS = {
  primary: 'bird-9vQ2mXw7TzLk4Rn8',
  second: 'bird-Hc5pYd1sGf6JbE3u',
  unscoped: 'bird-Wt0aKi4oNq8VxS2z',
} as const;

export interface SecondService {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly keys: typeof SECOND_SERVICE_KEYS;
  readonly close: () => Promise<void>;
}

/** Serves on a free port of the loopback address. `amend` may replace parts of the service. */
export async function startSecondService(
  seed: number,
  choices: Choices = OWN_CHOICES,
  amend: (right: Parts) => Parts = (right) => right,
): Promise<SecondService> {
  const handle = handlerOf(amend(partsOf(seed, choices)));
  // A request that was cut off gets no response.
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has such an address
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { baseUrl: `${origin}/v1`, controlUrl: `${origin}/control`, keys: SECOND_SERVICE_KEYS, close };
}

function partsOf(seed: number, choices: Choices): Parts {
  const [models, secondModels] = [sized(choices.models, choices), sized(choices.secondModels, choices)];
  const { primary, second, unscoped } = SECOND_SERVICE_KEYS;
  const callers = new Map<string, Caller>([
    [primary, { name: 'primary', scopes: ['inference'], models, running: 0 }],
    [second, { name: 'second', scopes: ['inference'], models: secondModels, running: 0 }],
    [unscoped, { name: 'unscoped', scopes: ['billing'], models: [], running: 0 }],
  ]);
  const workspace = new Workspace(choices.credits);
  return {
    steps: STEPS,
    seed,
    choices,
    callers,
    workspace,
    faults: new Faults(),
    idempotency: new IdempotencyStore(choices.repeatedKey),
  };
}

function sized(models: readonly Model[], { contextOf }: Choices): readonly Model[] {
  return models.map((model) => Object.assign({}, model, { context: contextOf(model) }));
}

function handlerOf(parts: Parts): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const control = controlHandler(parts.faults, parts.workspace);
  let count = 0;
  return async (request, response) => {
    const body = await bodyOf(request);
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname.startsWith('/control/')) {
      url.pathname = url.pathname.slice('/control'.length);
      const { status, type = '', body: text } = control(request.method ?? '', url, body);
      response.writeHead(status, { 'content-type': type }).end(text);
      return;
    }
    const requestId = parts.choices.requestId(++count);
    const call = { requestId, request, response, path: url.pathname, body };
    await deliver(call, await replyTo(call, parts), parts.choices);
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(request, 'end');
  return Buffer.concat(chunks);
}

async function replyTo(call: Call, parts: Parts): Promise<Reply> {
  try {
    return await parts.steps.answer(call, parts);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { choices } = parts;
    if (choices.refusalLatencyMs > 0) await wait(choices.refusalLatencyMs);
    return parts.steps.refusalReply(error, call, choices);
  }
}
