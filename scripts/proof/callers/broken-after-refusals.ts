import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { broken, type ProofCaller } from './proof-caller.ts';
import { chatFor, pooled, ProofClient } from './proof-client.ts';

/** Callers that do the wrong thing once they were refused. */
export const BROKEN_AFTER_REFUSALS: readonly ProofCaller[] = [
  broken('concurrency-unchanged', 'rate-limited', ['CALL-1'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    await pooled(place.task.wishes, place.task.atOnce, (wish) => client.chat(chatFor(wish, model)));
  }),
  broken('concurrency-raised', 'rate-limited', ['CALL-1'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    const more: Promise<void>[] = [];
    const queue = place.task.wishes.values();
    const worker = async (): Promise<void> => {
      for (const wish of queue) {
        const reply = await client.chat(chatFor(wish, model));
        if (reply.kind === 'refused') more.push(worker(), worker());
      }
    };
    await Promise.all(Array.from({ length: place.task.atOnce }, worker));
    await Promise.all(more);
  }),
  broken('one-alone-and-then-twice-as-many', 'rate-limited', ['CALL-1'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    const queue = [...place.task.wishes];
    let width = place.task.atOnce;
    while (queue.length > 0) {
      const wave = queue.splice(0, width).map((wish) => client.chat(chatFor(wish, model)));
      const isRefused = (await Promise.all(wave)).some(({ kind }) => kind === 'refused');
      if (isRefused) width = 1;
      else if (width !== place.task.atOnce) width = 2 * place.task.atOnce;
    }
  }),
  broken('concurrency-back-after-a-pause', 'rate-limited', ['CALL-1'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    let pause = Promise.resolve();
    await pooled(place.task.wishes, place.task.atOnce, async (wish) => {
      await pause;
      const reply = await client.chat(chatFor(wish, model));
      if (reply.kind === 'refused') pause = setTimeout(200);
    });
  }),
  broken('retry-storm', 'rate-limited', ['CALL-6'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const wish of place.task.wishes) {
      const again = { key: randomUUID() };
      for (let attempt = 0; attempt < 20; attempt += 1)
        if ((await client.chat(chatFor(wish, model), again)).kind !== 'refused') break;
    }
  }),
  broken('retry-while-unavailable', 'unavailable', ['CALL-6'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const wish of place.task.wishes) {
      const again = { key: randomUUID() };
      const { kind } = await client.chat(chatFor(wish, model), again);
      if (kind === 'refused') await client.chat(chatFor(wish, model), again);
    }
  }),
  broken('storm-of-fresh-keys', 'unavailable', ['CALL-6'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const wish of place.task.wishes)
      for (let attempt = 0; attempt < 30; attempt += 1)
        if ((await client.chat(chatFor(wish, model))).kind !== 'refused') break;
  }),
  broken('same-again-after-token-limit', 'token-limit', ['CALL-3'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const wish of place.task.wishes)
      for (let attempt = 0; attempt < 2; attempt += 1) await client.chat(chatFor(wish, model));
  }),
  broken('one-character-less-and-far-more-output', 'token-limit', ['CALL-3'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const wish of place.task.wishes) {
      await client.chat(chatFor(wish, model));
      const next = { ...wish, text: wish.text.slice(0, -1), maxTokens: wish.maxTokens * 100 };
      await client.chat(chatFor(next, model));
    }
  }),
  broken('more-output-after-token-limit', 'token-limit', ['CALL-3'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const wish of place.task.wishes) {
      await client.chat(chatFor(wish, model));
      await client.chat(chatFor({ ...wish, maxTokens: wish.maxTokens * 2 }, model));
    }
  }),
];
