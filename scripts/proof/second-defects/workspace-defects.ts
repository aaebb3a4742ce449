import { Refusal } from '../second-service/refusal.ts';
import type { Caller } from '../second-service/service.ts';
import { type Account, Workspace } from '../second-service/workspace.ts';
import { type SecondDefects, changeSteps } from './second-defect.ts';

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
export const WORKSPACE_DEFECTS = {
  'key-vouches-for-its-address': {
    clauses: ['AUTH-1', 'AUTH-2'],
    story: 'An address from which a good key came needs none for a while',
    amend: changeSteps(({ callerOf }) => {
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
  },
  'input-tokens-run-on': {
    clauses: ['RES-5'],
    story: 'The meter of the input is never set back, and the answer reports what it shows',
    alsoBlamed: { 'LIM-1': 'what fits beside an input is reckoned from its usage' },
    amend: changeSteps(({ completionReply }) => {
      let input = 0;
      return {
        completionReply: (made, stream, choices) => {
          input += made.input;
          return completionReply({ ...made, input }, stream, choices);
        },
      };
    }),
  },
  'rate-limited-chats-reserve': {
    clauses: ['LIM-4'],
    story: 'Credits are reserved before the rate is looked at, and not given back',
    amend: changeSteps(({ answer }, { workspace }) => ({
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
  },
  'review-ends-with-the-next-chat': {
    clauses: ['ERR-8'],
    story: 'What is under review is cleared away when the next chat comes',
    amend: ({ choices }) => ({ workspace: new Sweeping(choices.credits) }),
  },
} satisfies SecondDefects;
