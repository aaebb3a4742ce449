import type { Check, JudgedDraw } from '../model/check.ts';
import { ControlError } from '../control/control-connection.ts';
import { type Ruling, inconclusive, notExercised, asError } from '../model/ruling.ts';
import { Allowance } from '../sending/allowance.ts';
import type { Wire } from '../sending/wire.ts';
import type { TargetInfo } from '../model/target.ts';
import type { Trial } from '../model/stimulus.ts';
import type { Draw } from '../drawing/draws.ts';
import type { Exchange } from '../model/exchange.ts';
import { isWithheldCounterpart } from '../sending/counterparts.ts';

/** Sends a draw and puts what came before each of the checks; `id` is the draw's own unless given. Never rejects. */
export async function judgeDraw(
  draw: Draw,
  checks: readonly Check[],
  wire: Wire,
  info: TargetInfo,
  id = draw.id,
): Promise<JudgedDraw> {
  const { trial, missing } = await sent(draw, wire, info, id);
  return {
    id,
    stimulus: draw.stimulus.name,
    among: draw.among,
    trial,
    ...(missing !== undefined && { missing }),
    rulings: checks.map((each) => [each, rulingOf(each, trial, info, missing)]),
  };
}

async function sent(
  draw: Draw,
  wire: Wire,
  info: TargetInfo,
  id: string,
): Promise<{ readonly trial: Trial; readonly missing: Ruling | Error | undefined }> {
  try {
    // No more than it says it costs.
    const allowance = new Allowance(draw.cost(info), info.outputTokens);
    const trial = await draw.send(wire.sender(id, allowance), info);
    allowance.close();
    return { trial, missing: unjudgeable(trial, wire) };
  } catch (error) {
    return {
      trial: { exchanges: [] },
      missing: error instanceof ControlError ? error.ruling : asError(error),
    };
  }
}

/** `missing`: what is said of a trial that lacks an answer, unless the check can tell something of it all the same. */
export function rulingOf(
  check: Check,
  trial: Trial,
  info: TargetInfo,
  missing: Ruling | Error | undefined,
): Ruling | Error {
  try {
    if (missing === undefined)
      return lacksCounterpart(trial)
        ? rulingWithoutCounterparts(check, trial, info)
        : check.holds(trial, info);
    const isUncertain = trial.exchanges.some(({ outcome }) => outcome.kind === 'uncertain');
    return (isUncertain ? check.tellsUncertain?.(trial, info) : undefined) ?? missing;
  } catch (error) {
    return asError(error);
  }
}

/** The ruling on a trial that no judgement may see, because an answer is missing; undefined when all are there. */
export function unjudgeable({ exchanges, counterpart }: Trial, wire: Wire): Ruling | undefined {
  const all = counterpart === undefined ? exchanges : [counterpart, ...exchanges];
  if (all.length === 0) return notExercised('nothing was sent');
  for (const exchange of all) {
    // What is withheld was never asked for; the first exchange is what the trial is about.
    if (isWithheldCounterpart(exchange) && exchange !== exchanges[0]) continue;
    const ruling = missingAnswer(exchange, wire);
    if (ruling !== undefined) return ruling;
  }
  return undefined;
}

function missingAnswer(exchange: Exchange, wire: Wire): Ruling | undefined {
  const { outcome } = exchange;
  switch (outcome.kind) {
    case 'not-sent':
      return notExercised(`not sent: ${outcome.reason}`);
    case 'uncertain':
      return inconclusive(`uncertain outcome: ${outcome.reason}`);
    case 'answered':
      return wire.gaveUpOn(exchange)
        ? inconclusive('refused for its rate every time it was sent')
        : undefined;
  }
}

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
