import { Refusal } from '../second-service/reply.ts';
import type { Caller } from '../second-service/service.ts';
import { type Account, Workspace } from '../second-service/workspace.ts';
import { catching, changeSteps, type SecondDefects } from './second-defect.ts';

/** Fails every request under review when the next chat arrives. */
class SweepingWorkspace extends Workspace {
  readonly #open: Account[] = [];

  override reserve(...of: Parameters<Workspace['reserve']>): Account {
    for (const account of this.#open) if (account.state === 'under_review') account.state = 'failed';
    const account = super.reserve(...of);
    this.#open.push(account);
    return account;
  }
}

/** Keys, counters and credits. */
export const WORKSPACE_DEFECTS = {
  'key-vouches-for-its-address': {
    clauses: ['AUTH-1', 'AUTH-2'],
    story: 'An IP address that sent a valid key needs no key afterwards',
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
    story: 'The input token counter is never reset',
    amend: changeSteps(({ completionReply }) => {
      let input = 0;
      return {
        completionReply: (generation, stream, choices) => {
          input += generation.input;
          return completionReply({ ...generation, input }, stream, choices);
        },
      };
    }),
  },
  'rate-limited-chats-reserve': {
    clauses: ['LIM-4'],
    story: 'Credits are reserved before the rate limit is checked, and are not released',
    amend: changeSteps(({ answer }, { workspace }) => ({
      answer: catching(answer, (error, call) => {
        if (error instanceof Refusal && error.kind === 'rate_limit')
          workspace.reserve(`limited ${call.requestId}`, undefined, 1);
        throw error;
      }),
    })),
  },
  'review-ends-with-the-next-chat': {
    clauses: ['ERR-8'],
    story: 'Requests under review are resolved as failed when the next chat arrives',
    amend: ({ choices }) => ({ workspace: new SweepingWorkspace(choices.credits) }),
  },
} satisfies SecondDefects;
