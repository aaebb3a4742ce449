import type { Check } from '../check.ts';
import type { RunEntry } from '../journal/entry.ts';
import type { RecordedTrial, Recording } from '../journal/recording.ts';
import { trialEntry } from '../journal/trial-entry.ts';
import type { RunOptions } from '../run.ts';
import { type Draw, drawsOf } from '../running/draw.ts';
import { judgeDraw } from '../running/judge-draw.ts';
import type { Survey } from '../survey.ts';
import { simplestFailure } from './recorded-failure.ts';
import { recordedSender } from './recorded-sender.ts';
import { type Replay, replayOutcome } from './replay.ts';
import { ReplayError } from './replay-error.ts';
import { requireKeys } from './require-keys.ts';
import { withWire } from './with-wire.ts';

/**
 * Sends the requests behind the simplest recorded failure of a check again, byte for byte under fresh keys, and judges
 * what comes.
 * @throws {ReplayError} Where there is no such failure, or the record does not hold what it takes.
 */
export async function replayCheck(check: Check, recording: Recording, options: RunOptions): Promise<Replay> {
  const { survey, run, record } = recording;
  const failure = simplestFailure(recording, check);
  if (survey === undefined || failure === undefined)
    throw new ReplayError(`${check.id} did not fail in that run`);
  const { recorded, ruling: before } = failure;
  const draw = drawBehind(recorded, check, survey, run);
  const { exchanges, control } = recorded.trial;
  requireKeys(control === undefined ? exchanges : [control, ...exchanges], options.target.keys);
  return withWire({ ...options, checks: [check] }, survey, async (wire) => {
    const again: Draw = {
      ...draw,
      send: (sender, of) => draw.send(recordedSender(sender, recorded, record), of),
    };
    const judged = await judgeDraw(again, [check], wire, survey, 'replay');
    options.journal?.append(trialEntry(judged, 0));
    const [now = new Error('it was not judged')] = judged.rulings.map(([, ruling]) => ruling);
    if (now instanceof ReplayError) throw now;
    const { level } = check;
    const outcome = replayOutcome(before, now, {
      isJudged: judged.missing === undefined,
      level,
      profile: survey.profile,
    });
    return { outcome, before, now, exchanges: wire.record };
  });
}

/** The draw that was recorded, or the one from which the search for a simpler one began: they are sent alike. */
function drawBehind({ entry }: RecordedTrial, { given }: Check, survey: Survey, run: RunEntry): Draw {
  const id = entry.simplifies?.trial ?? entry.id;
  const draw = drawsOf(given, survey, run.seed, run.runs).find((each) => each.id === id);
  if (draw !== undefined) return draw;
  throw new ReplayError(`${given.name} is drawn otherwise in this release: ${id} is not among its draws`);
}
