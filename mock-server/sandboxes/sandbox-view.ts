import { type RequestFilter, type SentRequest, sentRequests } from '../journal/sent-requests.ts';
import { type ShownRule, shownRule } from '../rules/rule-plan.ts';
import type { VirtualClock } from '../time/clock.ts';
import type { Ledger } from '../workspace/ledger.ts';
import { keysByName } from '../world/caller.ts';
import type { World } from '../world/world-schema.ts';
import type { Sandbox } from './sandboxes.ts';

/** What a test looks at in a mock. */
export interface SandboxView {
  /** The bearer keys, by their names in the world. */
  readonly keys: Readonly<Record<string, string>>;
  /** As it is now. */
  readonly world: World;
  /** The clock of the world: what is recorded follows it, such as how long an Idempotency-Key is kept. */
  readonly clock: Pick<VirtualClock, 'now' | 'state' | 'advance' | 'freeze' | 'run'>;
  /** The credits: `account('main')`, every request that reserved some, and `resolve` for one under review. */
  readonly workspace: Pick<Ledger, 'account' | 'entries' | 'find' | 'resolve' | 'invariants'>;
  /** The armed faults and the chosen answers, each with its line, and how often it was used (`fired`). */
  readonly rules: readonly ShownRule[];
  /**
   * What the client sent, in the order of arrival: all of it, or what has this part. It is there as soon as the mock has read
   * it, and so when the client has its answer. The last 10,000 requests are kept.
   *
   * @example
   *   const [chat] = mock().requests({ endpoint: 'chat', body: { stream: true } });
   *   expect(chat?.headers['idempotency-key']).toMatch(/^order-/);
   */
  requests(filter?: RequestFilter): readonly SentRequest[];
}

/** The view of a sandbox with a journal, as it is at each moment: a reset replaces everything. */
export function sandboxView(sandbox: Sandbox): SandboxView {
  return {
    get keys() {
      return keysByName(sandbox.world);
    },
    get world() {
      return sandbox.world;
    },
    get clock() {
      return sandbox.service.time;
    },
    get workspace() {
      return sandbox.service.ledger;
    },
    get rules() {
      const { faults, answers } = sandbox.service;
      return [...faults.rules(), ...answers.rules()].map(shownRule);
    },
    requests: (filter) => sentRequests(sandbox.journal?.records() ?? [], filter),
  };
}
