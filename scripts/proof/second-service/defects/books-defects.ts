import { Refusal } from '../refusal.ts';
import type { Caller } from '../service.ts';
import { type Account, Workspace } from '../workspace.ts';
import { amiss, stepping } from './amiss.ts';

/** Clears away what is under review when the next chat comes. */
class Sweeping extends Workspace {
  readonly #open: Account[] = [];

  override reserve(...of: Parameters<Workspace['reserve']>): Account {
    for (const account of this.#open) if (account.state === 'under_review') account.state = 'failed';
    const account = super.reserve(...of);
    this.#open.push(account);
    return account;
  }
}

/** Who may call, what came before, and what it costs. */
export const BOOKS_DEFECTS = amiss({
  'key-vouches-for-its-address': stepping(({ callerOf }) => {
    const known = new Map<string | undefined, Caller>();
    return {
      callerOf: (call, parts) => {
        const { remoteAddress } = call.request.socket;
        try {
          const caller = callerOf(call, parts);
          known.set(remoteAddress, caller);
          return caller;
        } catch (error) {
          const caller = known.get(remoteAddress);
          if (caller === undefined) throw error;
          return caller;
        }
      },
    };
  }),
  'input-tokens-run-on': stepping(({ completionReply }) => {
    let input = 0;
    return {
      completionReply: (made, stream, choices) => {
        input += made.input;
        return completionReply({ ...made, input }, stream, choices);
      },
    };
  }),
  'rate-limited-chats-reserve': stepping(({ answer }, { workspace }) => ({
    answer: async (call, parts) => {
      try {
        return await answer(call, parts);
      } catch (error) {
        if (error instanceof Refusal && error.kind === 'rate_limit')
          workspace.reserve(`limited ${call.requestId}`, undefined, 1);
        throw error;
      }
    },
  })),
  'review-ends-with-the-next-chat': {
    parts: ({ choices }) => ({ workspace: new Sweeping(choices.credits) }),
  },
});
