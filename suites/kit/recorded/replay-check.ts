import type { Check } from '../model/check.ts';
import type { RunEntry } from '../model/journal.ts';
import type { RecordedTrial, Recording } from '../journal/read-journal.ts';
import { trialEntry } from '../journal/trial-record.ts';
import type { RunOptions } from '../model/run.ts';
import { type Draw, drawsOf } from '../drawing/draw.ts';
import { judgeDraw } from '../running/judge-draw.ts';
import type { TargetInfo } from '../model/target-info.ts';
import { type RecordedFailure, simplestFailure } from './recorded-failure.ts';
import {
  type PreparedReplay,
  type Replay,
  replayOutcome,
  ReplayError,
  withWire,
  recordedDraft,
} from './replay.ts';
import type { Draft } from '../model/draft.ts';
import type { Exchange, SentRequest } from '../model/exchange.ts';
import type { Sender } from '../model/stimulus.ts';

/**
 * Finds the requests behind the simplest recorded failure of a check. Sent again, they leave byte for byte under fresh
 * keys, in the way the stimulus sends them.
 * @throws {ReplayError} Where there is no such failure, or this release sends something else.
 */
export function replayOfCheck(check: Check, recording: Recording): PreparedReplay {
  const { info, run, record } = recording;
  const failure = simplestFailure(recording, check);
  if (info === undefined || failure === undefined)
    throw new ReplayError(`${check.id} did not fail in that run`);
  const { recorded } = failure;
  const draw = drawBehind(recorded, check, info, run);
  const again: Draw = {
    ...draw,
    send: (sender, of) => draw.send(recordedSender(sender, recorded, record), of),
  };
  const { exchanges, counterpart } = recorded.trial;
  return {
    exchanges: counterpart === undefined ? exchanges : [counterpart, ...exchanges],
    send: (options) => sendAgain(check, failure, again, info, options),
  };
}

/** The draw that was recorded, or the one from which the search for a simpler one began: they are sent alike. */
function drawBehind({ entry }: RecordedTrial, { given }: Check, info: TargetInfo, run: RunEntry): Draw {
  const id = entry.simplifies?.trial ?? entry.id;
  const draw = drawsOf(given, info, run.seed, run.runs).find((each) => each.id === id);
  if (draw !== undefined) return draw;
  throw new ReplayError(`${given.name} is drawn otherwise in this release: ${id} is not among its draws`);
}

function sendAgain(
  check: Check,
  { ruling: before }: RecordedFailure,
  draw: Draw,
  info: TargetInfo,
  options: RunOptions,
): Promise<Replay> {
  return withWire({ ...options, checks: [check] }, info, async (wire) => {
    const judged = await judgeDraw(draw, [check], wire, info, 'replay');
    options.journal?.append(trialEntry(judged, 0));
    const [now = new Error('it was not judged')] = judged.rulings.map(([, ruling]) => ruling);
    if (now instanceof ReplayError) throw now;
    const { level } = check;
    const outcome = replayOutcome(before, now, { level, profile: info.profile });
    return { outcome, before, now, exchanges: wire.record };
  });
}

/**
 * Sends the recorded requests of a trial in place of what a stimulus drafts, so that the stimulus says in which order,
 * how many at once and with which fault armed, and the record says which bytes.
 */
export function recordedSender(sender: Sender, recorded: RecordedTrial, record: readonly Exchange[]): Sender {
  const sent = requestsOf(recorded, record);
  const counterparts = counterpartsOf(recorded);
  return {
    ...sender,
    send: (draft) => sender.send(inPlaceOf(draft, sent.shift())),
    provoke: (draft) => sender.provoke(inPlaceOf(draft, sent.shift())),
    sendCounterpart: (draft) => sender.sendCounterpart(inPlaceOf(draft, counterparts.shift())),
  };
}

function inPlaceOf(draft: Draft, request: SentRequest | undefined): Draft {
  return request === undefined ? draft : recordedDraft(request, draft);
}

/** In the order in which they left; one that went out again for its rate counts once. */
function requestsOf({ entry }: RecordedTrial, record: readonly Exchange[]): SentRequest[] {
  const positions = record.flatMap(({ id, request }) => {
    const [before, position] = splitAtLast(id, '/');
    return before === entry.id && /^\d+$/.test(position) ? [{ position: Number(position), request }] : [];
  });
  return positions.toSorted((a, b) => a.position - b.position).map(({ request }) => request);
}

function splitAtLast(text: string, separator: string): readonly [string, string] {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The counterparts in the order in which they were asked for: the control before what it is a counterpart of. */
function counterpartsOf({ trial: { counterpart, exchanges } }: RecordedTrial): SentRequest[] {
  const all = new Set(counterpart === undefined ? exchanges : [counterpart, ...exchanges]);
  return [...all].filter(({ id }) => id.startsWith('control/')).map(({ request }) => request);
}
