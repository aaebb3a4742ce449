import type { Cost } from '../model/cost.ts';
import { type Draft, isChargeable } from '../model/draft.ts';
import type { RunOptions } from '../model/run.ts';
import { isOpen } from '../sending/allowance.ts';
import { requestFingerprint, askedOutput } from '../sending/sent-request.ts';
import type { Spending } from './spending-plan.ts';

/** a counterpart: equal prints are one request. */
export interface PlannedCounterpart extends Spending {
  readonly print: string;
}

/** What one draw sends at most, every number filled in. */
export interface PlannedDraw extends Required<Omit<Cost, 'counterparts'>> {
  readonly counterparts: readonly PlannedCounterpart[];
}

/** `cap`: the most output tokens that are asked for where a cost says nothing of them. */
export function plannedDraw(cost: Cost, cap: number): PlannedDraw {
  const { reads = 0, refused = 0, served = 0, open = 0 } = cost;
  const outputTokens = Math.max(cap, cost.outputTokens ?? 0);
  const counterparts = (cost.counterparts ?? []).map((counterpart) =>
    plannedCounterpart(counterpart, outputTokens),
  );
  return { reads, refused, served, open, outputTokens, counterparts };
}

function plannedCounterpart(draft: Draft, outputTokens: number): PlannedCounterpart {
  const print = requestFingerprint(draft);
  if (!isChargeable(draft)) return { print, requests: 1, completions: 0, outputTokens: 0, open: 0 };
  const open = isOpen(draft, outputTokens);
  // What is sent may ask for another number once the target is known, up to what was declared.
  const asked = askedOutput(draft.body);
  return { print, requests: 1, completions: 1, outputTokens: open ? 0 : asked, open: open ? 1 : 0 };
}

/** What is left where nothing is sent that must be served: like `isSendable`, of what is only planned. */
export function sendable(
  draws: readonly PlannedDraw[],
  withholds: RunOptions['withholds'],
): readonly PlannedDraw[] {
  if (withholds === undefined) return draws;
  return draws
    .filter(({ served }) => served === 0)
    .map((draw) => ({
      ...draw,
      counterparts: draw.counterparts.filter(({ completions }) => completions === 0),
    }))
    .filter(({ reads, refused, counterparts }) => reads + refused + counterparts.length > 0);
}

/** Of the draw's own requests, whatever the service does with them. */
export function atMost({ reads, refused, served, open, outputTokens }: PlannedDraw): Spending {
  return chats(reads + refused + served, refused + served, open, outputTokens);
}

/** Of the draw's own requests, if what must be refused is refused. */
export function ifKept({ reads, refused, served, open, outputTokens }: PlannedDraw): Spending {
  return chats(reads + refused + served, served, Math.min(open, served), outputTokens);
}

function chats(requests: number, completions: number, open: number, each: number): Spending {
  // What may be open may be bounded too.
  return { requests, completions, outputTokens: completions * each, open };
}
