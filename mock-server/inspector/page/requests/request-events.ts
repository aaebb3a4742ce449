import type { ShownExchange } from '../../../journal/shown-exchange.ts';
import type { LedgerLine } from '../state/wire.ts';

/** Something that happened to a request, in order. */
export interface RequestEvent {
  /** Milliseconds since its arrival; null: not measured. */
  readonly ms: number | null;
  readonly kind: 'arrival' | 'phase' | 'fault' | 'answer' | 'departure' | 'end';
  readonly what: string;
}

const ENDS = {
  answered: 'the answer has left whole',
  cut: 'the connection was cut inside the answer, or instead of it',
  silent: 'nothing more is sent; the connection stays open',
  'client-gone': 'the client disconnected first',
} as const;

/** What became of a request from its arrival to its end. */
export function requestEvents({
  entry,
  phases,
  response,
  departures,
}: ShownExchange): readonly RequestEvent[] {
  const triggered = (phase: string): readonly RequestEvent[] =>
    entry.faults
      .filter((fault) => fault.phase === phase)
      .map(({ fault, rule }) => ({ ms: null, kind: 'fault', what: `${fault} (${ruleName(rule)})` }));
  const reached = phases.flatMap(({ phase, ms }): readonly RequestEvent[] => [
    { ms, kind: 'phase', what: phase },
    ...triggered(phase),
  ]);
  const made: readonly RequestEvent[] =
    response === null ? [] : [{ ms: response.ms, kind: 'answer', what: `answer ${response.status} is made` }];
  const left = departures.map(({ ms, bytes }, index): RequestEvent => ({
    ms,
    kind: 'departure',
    what: `${bytes - (departures[index - 1]?.bytes ?? 0)} bytes have left${index > 0 ? `, ${bytes} in all` : ''}`,
  }));
  const end: readonly RequestEvent[] =
    entry.ended === null ? [] : [{ ms: entry.ms, kind: 'end', what: ENDS[entry.ended] }];
  return [{ ms: 0, kind: 'arrival', what: 'arrived' }, ...inOrder([...reached, ...made]), ...left, ...end];
}

/** What was not measured stays behind what it belongs to. */
function inOrder(events: readonly RequestEvent[]): readonly RequestEvent[] {
  let before = 0;
  const timed = events.map((each) => ({ each, at: (before = each.ms ?? before) }));
  return timed.toSorted((one, other) => one.at - other.at).map(({ each }) => each);
}

function ruleName(rule: string): string {
  if (rule === 'header') return 'its x-mock-fault header';
  return rule === 'model' ? 'its model' : rule;
}

const STATES: Readonly<Record<LedgerLine['state'], string>> = {
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  under_review: 'under review',
};

/** `succeeded: 518 reserved, 82 debited`. */
export function moneyText({ state, reserved, debit }: LedgerLine): string {
  return `${STATES[state]}: ${reserved} reserved, ${debit === null ? 'nothing' : debit} debited`;
}
