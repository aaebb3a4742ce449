import { disarmIfArmed } from '../control/open-deployment.ts';
import { invariantEntry, targetInfoEntry, runEntry } from '../journal/entries.ts';
import { JournalWriteError } from '../journal/write-journal.ts';
import { type Exchange, KEY_NAMES } from '../model/exchange.ts';
import { asError } from '../model/ruling.ts';
import { type RunOptions, finiteCaps } from '../model/run.ts';
import type { Stimulus } from '../model/stimulus.ts';
import type { Summary } from '../model/summary.ts';
import type { TargetInfo } from '../model/target.ts';
import { recordedWay } from '../network/route.ts';
import { Wire } from '../sending/wire.ts';
import { summarise } from '../summary/summarise.ts';
import { Tally } from '../summary/tally.ts';
import { discoverTarget, KeyRefused, TargetUnreachable } from './discover-target.ts';
import { findSimplest } from './find-simplest.ts';
import { fitTarget } from './fit-target.ts';
import { judgeInvariants, tallyExchanges } from './judge-invariants.ts';
import { SuiteRun } from './suite-run.ts';

/**
 * Runs checks against a target and sums up what it found.
 * Throws TargetUnreachable or KeyRefused when the preflight fails, and JournalWriteError when the journal cannot be
 * written before it.
 */
export async function runSuites(options: RunOptions): Promise<Summary> {
  const { journal } = options;
  const wire = new Wire(options);
  const recorded = withoutKeys(options, wire.redactor.text);
  const startedAt = new Date().toISOString();
  const end = (cutShort: readonly string[]) => {
    const durationMs = Date.now() - Date.parse(startedAt);
    const interrupted = options.signal?.aborted === true && { interrupted: true as const };
    journal?.append({ type: 'finished', durationMs, cutShort, ...interrupted });
    return { ...circumstancesOf(recorded, wire), startedAt, durationMs, cutShort };
  };
  try {
    journal?.append(runEntry(recorded, startedAt));
    const { cutShort, ...found } = await findings(options, wire);
    return summarise({ ...found, ...end(cutShort) });
  } catch (error) {
    const circumstances = end([wire.redactor.text(asError(error).message)]);
    if (error instanceof TargetUnreachable || error instanceof KeyRefused)
      error.summary = summarise({ ...notBegun(options), ...circumstances });
    // After a failure of the journal nothing is sent any more, so that failure is the cause.
    const failure = journal?.failure();
    throw failure === undefined ? error : new JournalWriteError(failure, { cause: error });
  } finally {
    await wire.close();
  }
}

/** The findings of a run whose preflight failed. */
function notBegun({ target, checks, invariants, judges }: RunOptions) {
  return {
    info: undefined,
    draws: { begun: 0, cut: 0 },
    trials: [],
    keys: new Set(KEY_NAMES.filter((name) => target.keys[name] !== undefined)),
    checks: new Map((judges === undefined ? checks : []).map((each) => [each, new Tally()])),
    invariants: new Map(invariants.map((each) => [each, new Tally()])),
  };
}

/** The options as they are recorded: a user may have put a key into an address, or into the reason of a known failure. */
function withoutKeys(options: RunOptions, redacted: (text: string) => string): RunOptions {
  const { target, control, again, known } = options;
  const listed = known?.listed.map((each) => ({ ...each, reason: redacted(each.reason) }));
  return {
    ...options,
    target: { ...target, baseUrl: withoutKeysInPath(target.baseUrl, redacted) },
    ...(control !== undefined && { control: { ...control, url: withoutKeysInPath(control.url, redacted) } }),
    ...(again !== undefined && { again: redacted(again) }),
    ...(known !== undefined && listed !== undefined && { known: { ...known, listed } }),
  };
}

function withoutKeysInPath(url: string, redacted: (text: string) => string): string {
  const from = `${url}/`.indexOf('/', url.indexOf('//') + 2);
  return url.slice(0, from) + redacted(url.slice(from));
}

/** What every run has to say of itself, however it ended. */
function circumstancesOf(recorded: RunOptions, wire: Wire) {
  const { target, seed, again, caps, withholds, selected, remembered = [], known } = recorded;
  const way = recordedWay(target.baseUrl, target.network);
  return {
    target: { ...target, headers: Object.keys(target.headers), ...(way !== undefined && { way }) },
    seed,
    again,
    caps: finiteCaps(caps),
    withholds,
    selected,
    remembered,
    known: known?.checks,
    record: wire.record,
    spent: wire.budget.spent,
    isAccountedFor: (exchange: Exchange) => wire.isAccountedFor(exchange),
  };
}

async function findings(options: RunOptions, wire: Wire) {
  const { journal, invariants } = options;
  const info = await fitted(await discoverTarget(wire, options), wire, options);
  journal?.append(targetInfoEntry(info));
  const run = new SuiteRun(options, wire, info);
  await run.sendAll();
  const leftArmed = await disarmIfArmed(wire.deployment);
  await findSimplest(run, options, wire, info);
  await wire.lastLook();
  const judged = judgeInvariants(invariants, wire.record, info, wire.redactor.ruling);
  for (const [{ id }, rulings] of judged) journal?.append(invariantEntry(id, rulings));
  return {
    info,
    draws: run.counts,
    trials: run.trials.inOrder(),
    keys: info.keys,
    checks: run.tallies,
    invariants: new Map([...judged].map(([invariant, rulings]) => [invariant, tallyExchanges(rulings)])),
    cutShort: [...(leftArmed === undefined ? [] : [leftArmed]), ...cutShortReasons(options, wire, run)],
  };
}

/** Fits what was discovered to what the target accepts, where the run sends any chat. */
async function fitted(
  readings: readonly [TargetInfo, ...TargetInfo[]],
  wire: Wire,
  { checks }: RunOptions,
): Promise<TargetInfo> {
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

/** Why a run ended before everything was sent and judged. */
function cutShortReasons({ journal, maxFailures }: RunOptions, wire: Wire, run: SuiteRun): readonly string[] {
  const { unsent } = run.counts;
  const hasFailedEnough = run.hasFailedEnough && unsent > 0;
  const ends = [
    journal?.failure(),
    hasFailedEnough ? `--max-failures ${maxFailures} is reached` : undefined,
    wire.ended,
  ];
  const unsentFor = ends.map((end) => end && `${end}: ${unsent} draws were not sent`);
  return [wire.budget.over, wire.halted, ...unsentFor].filter((reason) => reason !== undefined);
}
