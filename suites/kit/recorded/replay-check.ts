import type { Level } from '../../../fixtures/clauses/clauses.ts';
import { type Draw, drawsOf } from '../drawing/draws.ts';
import { rulingFrom } from '../journal/codecs.ts';
import { trialEntry } from '../journal/entries.ts';
import type { RecordedTrial, Recording } from '../journal/read-journal.ts';
import type { Check } from '../model/check.ts';
import type { Draft, Exchange, SentRequest } from '../model/exchange.ts';
import type { RunEntry } from '../model/journal.ts';
import type { Ruling } from '../model/ruling.ts';
import type { RunOptions } from '../model/run.ts';
import type { Sender } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { judgeDraw } from '../running/judge-draw.ts';
import {
  fails,
  failsAlike,
  type PreparedReplay,
  recordedDraft,
  type Replay,
  ReplayError,
  replayOutcome,
  withWire,
} from './replay.ts';

/**
 * Prepares the simplest recorded failure of a check to be sent again: the same bytes, under fresh Idempotency-Keys, in
 * the way the stimulus sends them.
 * @throws {ReplayError} When there is no such failure, or this release draws other inputs.
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
    send: (options, tell) => sendAgain({ check, failure, draw: again, info }, options, tell),
  };
}

/** A trial in which a check failed, and how. */
interface RecordedFailure {
  readonly recorded: RecordedTrial;
  readonly ruling: Ruling;
}

/** The simplest recorded failure of a check, if any. */
function simplestFailure(
  { trials, run }: Recording,
  { id, level }: { readonly id: string; readonly level: Level },
): RecordedFailure | undefined {
  const failures = trials.flatMap((recorded): RecordedFailure[] => {
    const entry = recorded.entry.rulings[id];
    const ruling = entry && rulingFrom(entry);
    if (ruling === undefined || ruling instanceof Error) return [];
    return fails(ruling, level, run.target.profile) ? [{ recorded, ruling }] : [];
  });
  const first = failures.find(({ recorded }) => recorded.entry.simplifies === undefined);
  if (first === undefined) return undefined;
  const simpler = failures.filter(({ recorded }) => recorded.entry.simplifies?.check === id);
  return simpler.findLast(({ ruling }) => failsAlike(ruling, first.ruling)) ?? first;
}

/** The recorded draw, or the one that the search for a simpler one began from: both are sent in the same way. */
function drawBehind({ entry }: RecordedTrial, { given }: Check, info: TargetInfo, run: RunEntry): Draw {
  const id = entry.simplifies?.trial ?? entry.id;
  const draw = drawsOf(given, info, run.seed, run.runs).find((each) => each.id === id);
  if (draw !== undefined) return draw;
  throw new ReplayError(`this release draws other inputs for ${given.name}: ${id} is not among them`);
}

interface Again {
  readonly check: Check;
  readonly failure: RecordedFailure;
  readonly draw: Draw;
  readonly info: TargetInfo;
}

function sendAgain<T>(
  { check, failure: { ruling: before }, draw, info }: Again,
  options: RunOptions,
  tell: (replay: Replay) => T,
): Promise<T> {
  return withWire({ ...options, checks: [check] }, info, async (wire) => {
    const judged = await judgeDraw(draw, [check], wire, info, 'replay');
    options.journal?.append(trialEntry(judged, 0));
    const [now = new Error('it was not judged')] = judged.rulings.map(([, ruling]) => ruling);
    if (now instanceof ReplayError) throw now;
    const { level } = check;
    const outcome = replayOutcome(before, now, { level, profile: info.profile });
    return tell({ outcome, before, now, exchanges: wire.record });
  });
}

/**
 * Sends the recorded requests of a trial in place of the drafts of its stimulus: the stimulus decides on order,
 * concurrency and armed faults, the record on the bytes.
 */
function recordedSender(sender: Sender, recorded: RecordedTrial, record: readonly Exchange[]): Sender {
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

/** In the order in which they left; one that was sent again after a rate limit error counts once. */
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

/** In the order in which the stimulus sends them. */
function counterpartsOf({ trial: { counterpart, exchanges } }: RecordedTrial): SentRequest[] {
  const all = new Set(counterpart === undefined ? exchanges : [counterpart, ...exchanges]);
  return [...all].filter(({ id }) => id.startsWith('control/')).map(({ request }) => request);
}
