import type { Exchange } from '../model/exchange.ts';
import { inconclusive, notExercised, type Ruling } from '../model/ruling.ts';
import type { Trial } from '../model/trial.ts';
import type { Wire } from '../sending/wire.ts';
import { isWithheldCounterpart } from '../sending/counterparts.ts';

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
