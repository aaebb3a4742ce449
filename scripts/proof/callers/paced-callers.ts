import type { TaskItem } from '../../caller/scenarios/scenario.ts';
import type { CallerInputs } from '../../caller/caller-inputs.ts';
import { askForWish } from './ask-for-wish.ts';
import { pooled, ProofClient } from './proof-client.ts';

/** So many at once, half as many after each rate limit error, and one more after each success. */
export async function additiveIncrease(place: CallerInputs): Promise<void> {
  const client = new ProofClient(place);
  const [model] = await client.models();
  const queue = [...place.task.wishes];
  const running = new Set<Promise<void>>();
  let width = place.task.atOnce;
  const step = async (wish: TaskItem): Promise<void> => {
    const reply = await askForWish(client, wish, model);
    if (reply?.kind === 'served') width = Math.min(place.task.atOnce, width + 0.25);
    if (reply?.kind !== 'refused') return;
    if (reply.code === 'rate_limit') width = Math.max(1, width / 2);
    if (reply.code === 'rate_limit') queue.push(wish);
    else queue.length = 0;
  };
  while (queue.length > 0 || running.size > 0) {
    while (queue.length > 0 && running.size < Math.floor(width)) {
      const task: Promise<void> = step(queue.shift() ?? place.task.wishes[0] ?? missing()).finally(() =>
        running.delete(task),
      );
      running.add(task);
    }
    await Promise.race(running);
  }
}

function missing(): never {
  throw new Error('a scenario without wishes');
}

/** All at once, until the first refusal: then nothing more. */
export async function stopsAtTheFirstRefusal(place: CallerInputs): Promise<void> {
  const client = new ProofClient(place);
  const [model] = await client.models();
  let isOver = false;
  await pooled(place.task.wishes, place.task.atOnce, async (wish) => {
    if (isOver) return;
    const reply = await askForWish(client, wish, model);
    isOver ||= reply?.kind === 'refused';
  });
}

/** After a rate limit error one after the other, from then on. */
export async function oneByOneAfterTheLimit(place: CallerInputs): Promise<void> {
  const client = new ProofClient(place);
  const [model] = await client.models();
  let line = Promise.resolve();
  let isInLine = false;
  await pooled(place.task.wishes, place.task.atOnce, async (wish) => {
    const turn = async (): Promise<void> => {
      const reply = await askForWish(client, wish, model);
      isInLine ||= reply?.kind === 'refused';
    };
    if (isInLine) line = line.then(turn);
    await (isInLine ? line : turn());
  });
}
