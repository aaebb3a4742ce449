import { randomUUID } from 'node:crypto';
import type { TaskItem } from '../../caller/scenarios/scenario.ts';
import { chatFor, imageChatFor, type ProofClient, type Reply } from './proof-client.ts';

/** The request for a wish, with its image where a model takes it; undefined: none does. */
async function requestFor(client: ProofClient, wish: TaskItem, model: string): Promise<object | undefined> {
  if (wish.image === undefined) return chatFor(wish, model);
  const seeing = (await client.vision()).find(({ vision }) => vision);
  return seeing && imageChatFor(wish, seeing.id);
}

/** Asks for one wish, and writes down what came of it. */
export async function askForWish(
  client: ProofClient,
  wish: TaskItem,
  model: string,
): Promise<Reply | undefined> {
  const request = await requestFor(client, wish, model);
  if (request === undefined) return undefined;
  const key = randomUUID();
  const reply = await client.chat(request, { key });
  client.record(wish, reply.kind === 'lost' ? 'uncertain' : reply.kind, key);
  return reply;
}
