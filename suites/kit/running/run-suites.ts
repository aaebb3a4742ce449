import { leftArmed } from '../control/left-armed.ts';
import { invariantEntry } from '../journal/invariant-entry.ts';
import { JournalFailure } from '../journal/journal-failure.ts';
import { surveyEntry } from '../journal/recorded-survey.ts';
import { runEntry } from '../journal/run-entry.ts';
import type { RunOptions } from '../run.ts';
import { Wire } from '../sending/wire.ts';
import { STAGES } from '../stimulus.ts';
import type { Summary } from '../summary.ts';
import { asError } from './as-error.ts';
import { cutShortReasons } from './cut-short-reasons.ts';
import { judgeInvariants, tallyExchanges } from './judge-invariants.ts';
import { surveyTarget } from './preflight.ts';
import { SuiteRun } from './suite-run.ts';
import { type Findings, summarise } from './summarise.ts';

/**
 * Runs checks against a target and says what holds.
 * Throws TargetUnreachable or KeyRefused when the one question every run begins with gets no answer, and
 * JournalFailure when it was not put because the journal could not be written.
 */
export async function runSuites(options: RunOptions): Promise<Summary> {
  const { journal } = options;
  const startedAt = new Date();
  const wire = new Wire(options);
  const finish = (cutShort: readonly string[]): number => {
    const durationMs = Date.now() - startedAt.getTime();
    journal?.append({ type: 'finished', durationMs, cutShort });
    return durationMs;
  };
  try {
    journal?.append(runEntry(options, startedAt.toISOString()));
    const found = await findings(options, wire);
    return summarise({ ...found, startedAt: startedAt.toISOString(), durationMs: finish(found.cutShort) });
  } catch (error) {
    finish([asError(error).message]);
    // Whatever went wrong then, it was because nothing was let out any more.
    const failure = journal?.failure();
    throw failure === undefined ? error : new JournalFailure(failure, { cause: error });
  } finally {
    await wire.close();
  }
}

async function findings(
  options: RunOptions,
  wire: Wire,
): Promise<Omit<Findings, 'startedAt' | 'durationMs'>> {
  const { journal, target, seed } = options;
  const survey = await surveyTarget(wire, options);
  journal?.append(surveyEntry(survey));
  const run = new SuiteRun(options, wire, survey);
  for (const stage of STAGES) await run.stage(stage);
  const armed = await leftArmed(wire.deployment);
  await run.shrinkFailures();
  const judged = judgeInvariants(options.invariants, wire.record, survey);
  for (const [{ id }, rulings] of judged) journal?.append(invariantEntry(id, rulings));
  return {
    target,
    seed,
    keys: survey.keys,
    checks: run.tallies,
    invariants: new Map([...judged].map(([invariant, rulings]) => [invariant, tallyExchanges(rulings)])),
    record: wire.record,
    spent: wire.budget.spent,
    isAccountedFor: (exchange) => wire.isAccountedFor(exchange),
    cutShort: cutShortReasons({ options, wire, unsent: run.unsent, leftArmed: armed }),
  };
}
