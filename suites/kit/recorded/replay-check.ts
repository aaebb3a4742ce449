import type { Check } from '../model/check.ts';
import type { RunEntry } from '../journal/entry.ts';
import type { RecordedTrial, Recording } from '../journal/recording.ts';
import { trialEntry } from '../journal/trial-entry.ts';
import type { RunOptions } from '../model/run.ts';
import { type Draw, drawsOf } from '../drawing/draw.ts';
import { judgeDraw } from '../running/judge-draw.ts';
import type { Survey } from '../model/target-info.ts';
import { type RecordedFailure, simplestFailure } from './recorded-failure.ts';
import { recordedSender } from './recorded-sender.ts';
import { type PreparedReplay, type Replay, replayOutcome } from './replay.ts';
import { ReplayError } from './replay-error.ts';
import { withWire } from './with-wire.ts';

/**
 * Finds the requests behind the simplest recorded failure of a check. Sent again, they leave byte for byte under fresh
 * keys, in the way the stimulus sends them.
 * @throws {ReplayError} Where there is no such failure, or this release sends something else.
 */
export function replayOfCheck(check: Check, recording: Recording): PreparedReplay {
  const { survey, run, record } = recording;
  const failure = simplestFailure(recording, check);
  if (survey === undefined || failure === undefined)
    throw new ReplayError(`${check.id} did not fail in that run`);
  const { recorded } = failure;
  const draw = drawBehind(recorded, check, survey, run);
  const again: Draw = {
    ...draw,
    send: (sender, of) => draw.send(recordedSender(sender, recorded, record), of),
  };
  const { exchanges, control } = recorded.trial;
  return {
    exchanges: control === undefined ? exchanges : [control, ...exchanges],
    send: (options) => sendAgain(check, failure, again, survey, options),
  };
}

/** The draw that was recorded, or the one from which the search for a simpler one began: they are sent alike. */
function drawBehind({ entry }: RecordedTrial, { given }: Check, survey: Survey, run: RunEntry): Draw {
  const id = entry.simplifies?.trial ?? entry.id;
  const draw = drawsOf(given, survey, run.seed, run.runs).find((each) => each.id === id);
  if (draw !== undefined) return draw;
  throw new ReplayError(`${given.name} is drawn otherwise in this release: ${id} is not among its draws`);
}

function sendAgain(
  check: Check,
  { ruling: before }: RecordedFailure,
  draw: Draw,
  survey: Survey,
  options: RunOptions,
): Promise<Replay> {
  return withWire({ ...options, checks: [check] }, survey, async (wire) => {
    const judged = await judgeDraw(draw, [check], wire, survey, 'replay');
    options.journal?.append(trialEntry(judged, 0));
    const [now = new Error('it was not judged')] = judged.rulings.map(([, ruling]) => ruling);
    if (now instanceof ReplayError) throw now;
    const { level } = check;
    const outcome = replayOutcome(before, now, { level, profile: survey.profile });
    return { outcome, before, now, exchanges: wire.record };
  });
}
