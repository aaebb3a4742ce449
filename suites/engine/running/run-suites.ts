import { setImmediate as nextTurn } from 'node:timers/promises';
import { disarmed } from '../control/open-deployment.ts';
import { targetInfoEntry, runEntry } from '../journal/entries.ts';
import { recordingOf } from '../journal/recording.ts';
import { JournalWriteError } from '../journal/write-journal.ts';
import type { FinishedEntry } from '../model/entry-schema.ts';
import { asError } from '../model/ruling.ts';
import type { RunOptions } from '../model/run.ts';
import type { Stimulus } from '../model/stimulus.ts';
import type { Summary } from '../model/summary.ts';
import type { Readings, TargetInfo } from '../model/target.ts';
import { Wire } from '../sending/wire.ts';
import { summarise } from '../summary/summarise.ts';
import { discoverTarget } from './discover-target.ts';
import { findSimplest } from './find-simplest.ts';
import { CannotBegin } from './first-answer.ts';
import { fitTarget } from './fit-target.ts';
import { judgeInvariants } from './judge-invariants.ts';
import { plannedStimuli } from './planned-draws.ts';
import { SuiteRun } from './suite-run.ts';

/**
 * Runs checks against a target and sums up what it found: from its own entries, as a report of its journal does.
 * Throws TargetUnreachable or KeyRefused when the preflight fails, and JournalWriteError when the journal cannot be
 * written before it.
 */
export async function runSuites(options: RunOptions): Promise<Summary> {
  const wire = new Wire(options);
  const { text } = wire.redactor;
  const startedAt = new Date();
  const end = (how: End): void => {
    const interrupted = options.signal?.aborted === true && { interrupted: true as const };
    const durationMs = Date.now() - startedAt.getTime();
    wire.append({ type: 'finished', durationMs, ...how, ...interrupted });
  };
  const summary = (): Summary =>
    summarise(recordingOf(wire.entries, 'the run'), options.again && text(options.again));
  try {
    wire.append(runEntry(options, startedAt.toISOString(), text));
    end(await runWhole(options, wire));
    return summary();
  } catch (error) {
    end({ cutShort: [text(asError(error).message)] });
    if (error instanceof CannotBegin) error.summary = summary();
    // After a failure of the journal nothing is sent any more, so that failure is the cause.
    const failure = options.journal?.failure();
    throw failure === undefined ? error : new JournalWriteError(failure, { cause: error });
  } finally {
    await wire.close();
  }
}

/** Why not everything was sent and judged. */
type End = Pick<FinishedEntry, 'cutShort' | 'unsent'>;

async function runWhole(options: RunOptions, wire: Wire): Promise<End> {
  const readings = await discoverTarget(wire, options);
  const fitting = fitted(readings, wire, options);
  // Inputs take time to draw, in which the first completion is under way.
  const likely = nextTurn().then(() => plannedStimuli(options, readings[0]));
  const info = await fitting;
  const planned = info === readings[0] ? await likely : plannedStimuli(options, info);
  wire.append(targetInfoEntry(info));
  const run = new SuiteRun(options, { wire, info }, planned);
  await run.sendAll();
  const leftArmed = await disarmed(wire.deployment);
  await findSimplest(run, options, { wire, info });
  await wire.lastLook();
  for (const judged of judgeInvariants(options.invariants, wire.record, info, wire.redactor.ruling))
    wire.append(judged);
  const { left, hasFailedEnough } = run;
  const ends = [
    options.journal?.failure(),
    hasFailedEnough && left > 0 ? `--max-failures ${options.maxFailures} is reached` : undefined,
    wire.ended,
  ];
  const unsentFor = ends.map((reason) => reason && `${reason}: ${left} inputs were not sent`);
  const cutShort = [leftArmed, wire.budget.over, wire.halted, ...unsentFor];
  const unsent = ends.findLast((reason) => reason !== undefined);
  return {
    cutShort: cutShort.filter((reason) => reason !== undefined),
    ...(unsent !== undefined && { unsent }),
  };
}

/** Fits what was discovered to what the target accepts, where the run sends any chat. */
async function fitted(readings: Readings, wire: Wire, { checks }: RunOptions): Promise<TargetInfo> {
  const [likeliest] = readings;
  const sendsChats = checks.some(({ given }) => given.readsOnly !== true && !isSkipped(given, likeliest));
  if (!sendsChats || likeliest.hasNoList === true || wire.ended !== undefined) return likeliest;
  return fitTarget(readings, wire.sender('preflight'));
}

/** A failure of ours is said once the stimulus has its turn. */
function isSkipped({ skipReason }: Stimulus, info: TargetInfo): boolean {
  try {
    return skipReason?.(info) !== undefined;
  } catch {
    return true;
  }
}
