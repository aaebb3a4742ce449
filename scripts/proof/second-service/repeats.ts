import type { Choices } from './choices.ts';
import { refuse } from './refusal.ts';
import type { Reply } from './reply.ts';

interface First {
  readonly body: Buffer;
  readonly reply: Promise<Reply>;
}

/** What became of the requests that came under each Idempotency-Key. */
export class Repeats {
  readonly #policy: Choices['repeatedKey'];
  readonly #firsts = new Map<string, First>();

  constructor(policy: Choices['repeatedKey']) {
    this.#policy = policy;
  }

  /** Does what is asked, unless it was done under this key before; what was refused was not done. */
  once(key: string, body: Buffer, act: () => Promise<Reply>): Promise<Reply> {
    if (this.#policy === 'ignored') return act();
    const first = this.#firsts.get(key);
    if (first === undefined) return this.#act(key, body, act);
    if (this.#policy === 'refused') return refuse('key_used', 'this Idempotency-Key was used before');
    if (!first.body.equals(body))
      return refuse('key_used', 'this Idempotency-Key belongs to another request');
    return first.reply;
  }

  #act(key: string, body: Buffer, act: () => Promise<Reply>): Promise<Reply> {
    const reply = act();
    this.#firsts.set(key, { body, reply });
    reply.catch(() => this.#firsts.delete(key));
    return reply;
  }
}
