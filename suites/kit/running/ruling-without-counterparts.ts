import type { Check } from '../model/check.ts';
import type { Exchange } from '../model/exchange.ts';
import { inconclusive, type Ruling } from '../model/ruling.ts';
import { isWithheldCounterpart } from '../sending/counterparts.ts';
import type { TargetInfo } from '../model/target-info.ts';
import type { Trial } from '../model/trial.ts';

const UNTOLD =
  'it was refused, as it must be, and for what is not told: that its counterpart is served takes a completion';

/**
 * Judges a trial whose counterparts were withheld as if they had been served. A violation is one whatever became
 * of them: what must be refused was served, or was refused without an error object. That it was refused is no pass:
 * a service that refuses everything passes nothing.
 */
export function rulingWithoutCounterparts(check: Check, trial: Trial, info: TargetInfo): Ruling {
  const { exchanges, counterpart, ...rest } = trial;
  const ruling = check.holds(
    {
      ...rest,
      exchanges: exchanges.map(assumed),
      ...(counterpart !== undefined && { counterpart: assumed(counterpart) }),
    },
    info,
  );
  return ruling.kind === 'holds' ? inconclusive(UNTOLD) : ruling;
}

function assumed(exchange: Exchange): Exchange {
  return isWithheldCounterpart(exchange) ? asServed(exchange) : exchange;
}

/** Whether a counterpart of it was withheld. */
export function lacksCounterpart({ exchanges, counterpart }: Trial): boolean {
  return [...exchanges, ...(counterpart === undefined ? [] : [counterpart])].some(isWithheldCounterpart);
}

const COMPLETION = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' } }] };

function asServed({ id, request }: Exchange): Exchange {
  const answer = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(COMPLETION)),
    pieces: [],
    headersAt: 0,
    endedAt: 0,
  };
  return { id, request, outcome: { kind: 'answered', answer } };
}
