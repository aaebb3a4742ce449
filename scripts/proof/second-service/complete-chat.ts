import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Choices, Made } from './choices.ts';
import type { Chat } from './read-chat.ts';

/** What the model says to a chat: the same for the same seed. */
export async function completeChat(
  { model, input, maxTokens, print }: Chat,
  requestId: string,
  seed: number,
  { countTokens, finishReasons, speak, takes }: Choices,
): Promise<Made> {
  if (takes(model) > 0) await wait(takes(model));
  const text = speak(maxTokens, drawsOf(`${seed} ${print}`), countTokens);
  const output = countTokens(text);
  const finish = finishReasons[output < maxTokens - 1 ? 'stop' : 'length'];
  return { id: `made-${requestId}`, model: model.id, text, finish, input, output };
}

/** Numbers from 0 to below 1 that follow from a text. */
function drawsOf(text: string): () => number {
  const bytes = createHash('sha512').update(text).digest();
  let next = 0;
  return () => (bytes[next++ % bytes.length] ?? 0) / 256;
}
