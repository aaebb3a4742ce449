import { ControlError } from '../control/control-connection.ts';
import type { Draw } from '../inputs/draws.ts';
import { inputOf } from '../inputs/remembered-draws.ts';
import type { JudgedTrial } from '../journal/recording.ts';
import { type Check, isOwn } from '../model/check.ts';
import type { Simplification } from '../model/entry-schema.ts';
import { type Ruling, asError } from '../model/ruling.ts';
import type { Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import type { Wire } from '../sending/wire.ts';
import { missingAnswer, rulingOf } from './recorded/judge-trial.ts';

/** What everything that sends in a run has in common. */
export interface Sending {
  readonly wire: Wire;
  readonly info: TargetInfo;
}

/** `nth`: its place in the plan. `id`: that of the draw unless given. */
interface Place {
  readonly nth: number;
  readonly id?: string;
  readonly simplifies?: Simplification;
}

/** Sends a draw, judges its trial by each check, and writes that into the journal. Never rejects. */
export async function judgeDraw(
  draw: Draw,
  checks: readonly Check[],
  { wire, info }: Sending,
  { nth, id = draw.id, simplifies }: Place,
): Promise<JudgedTrial> {
  const { ruling: redacted, value } = wire.redactor;
  const { name: stimulus } = draw.stimulus;
  let trial: Trial = { exchanges: [] };
  let missing: Ruling | Error | undefined;
  try {
    trial = await draw.send(wire.sender(id), info);
    missing = missingAnswer(trial, (exchange) => wire.gaveUpOn(exchange));
  } catch (error) {
    missing = error instanceof ControlError ? error.ruling : asError(error);
  }
  const { exchanges, counterpart, ...facts } = trial;
  const data = { ...facts, input: inputOf(draw) };
  const entry = {
    type: 'trial',
    id,
    stimulus,
    ...(draw.exampleCount !== undefined && { among: draw.exampleCount }),
    nth,
    exchanges: exchanges.map((exchange) => exchange.id),
    ...(counterpart !== undefined && { control: counterpart.id }),
    // Nothing but the code of a user draws keys.
    data: isOwn({ id: stimulus }) ? value(data) : data,
    ...(missing !== undefined && { missing: redacted(missing) }),
    rulings: Object.fromEntries(
      checks.map((check) => [check.id, redacted(rulingOf(check, trial, info, missing))]),
    ),
    ...(simplifies !== undefined && { simplifies }),
  } as const;
  wire.append(entry);
  return { entry, trial };
}
