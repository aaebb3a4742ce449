import { type Draft, type Exchange, isChargeable } from '../../model/exchange.ts';
import { type Cost, type Sender, type Stimulus, stimulus, type Trial } from '../../model/stimulus.ts';
import type { TargetInfo } from '../../model/target.ts';
import { wasServed } from '../../reading/errors/disposition.ts';

/** Requests that are sent side by side. */
interface Step {
  /** They must be refused. */
  readonly refused?: readonly Draft[];
  /** They must or may be served. */
  readonly served?: readonly Draft[];
  /** They must or may be served, and equal ones are sent once in a run, as counterparts are. */
  readonly shared?: readonly Draft[];
}

/** What one input sends: its cost and the sending both follow. */
export interface Requests extends Step {
  /** Sent first: the accepted request from which the next one differs in one place only. */
  readonly counterpart?: Draft;
  /** The second try of the first request, sent where that says so. No work may come of either. */
  readonly again?: { readonly when: (first: Exchange) => boolean; readonly draft: Draft };
  /** Sent last, where the last exchange before it says so. */
  readonly next?: Step & { readonly when: (last: Exchange) => boolean };
  /** Sent in place of all others, where the counterpart is not served. */
  readonly otherwise?: Requests;
}

/** Of these the first whose counterpart is served, or else the last. */
export function inTurn(all: readonly Requests[]): Requests {
  return all.reduceRight((otherwise, each) => ({ ...each, otherwise }));
}

interface Declaration<I> extends Omit<Stimulus<Trial, I>, 'cost' | 'send'> {
  readonly requests: (input: I, info: TargetInfo) => Requests;
}

export function requestStimulus<I>({ requests, ...declared }: Declaration<I>): Stimulus {
  return stimulus<Trial, I>({
    ...declared,
    cost: (input, info) => costOf(requests(input, info)),
    send: (input, sender, info) => sendAll(requests(input, info), sender, info),
  });
}

function costOf({ counterpart, next = { when: () => false }, otherwise, ...first }: Requests): Cost {
  const drafts = (kind: keyof Step): readonly Draft[] => [...(first[kind] ?? []), ...(next[kind] ?? [])];
  const [refused, served] = [drafts('refused'), drafts('served')];
  return {
    reads: [...refused, ...served].filter((draft) => !isChargeable(draft)).length,
    refused: refused.filter(isChargeable).length,
    served: served.filter(isChargeable).length,
    counterparts: [
      ...(counterpart === undefined ? [] : [counterpart]),
      ...drafts('shared'),
      ...((otherwise && costOf(otherwise).counterparts) ?? []),
    ],
  };
}

async function sendAll(
  { counterpart, again, next, otherwise, ...step }: Requests,
  sender: Sender,
  info: TargetInfo,
): Promise<Trial> {
  const accepted = counterpart && (await sender.sendCounterpart(counterpart));
  const isExpected = accepted !== undefined && wasServed(accepted, info);
  if (otherwise !== undefined && !isExpected) return sendAll(otherwise, sender, info);
  const exchanges = await sendStep(step, sender);
  const [first, last] = [exchanges[0], exchanges.at(-1)];
  if (next !== undefined && last !== undefined && next.when(last))
    exchanges.push(...(await sendStep(next, sender)));
  if (again !== undefined && first !== undefined && again.when(first) && isExpected)
    exchanges.push(await sender.send({ ...again.draft, after: first.id }));
  return { exchanges, ...(accepted !== undefined && { counterpart: accepted }) };
}

async function sendStep({ refused = [], served = [], shared = [] }: Step, sender: Sender) {
  return Promise.all([
    ...[...refused, ...served].map((draft) => sender.send(draft)),
    ...shared.map((draft) => sender.sendCounterpart(draft)),
  ]);
}
