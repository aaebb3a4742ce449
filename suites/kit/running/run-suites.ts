import { leftArmed } from '../control/left-armed.ts';
import { fitOutput } from './fit-output.ts';
import type { RunOptions } from '../run.ts';
import { Wire } from '../sending/wire.ts';
import { STAGES } from '../stimulus.ts';
import type { Summary } from '../summary.ts';
import type { Survey } from '../survey.ts';
import { judgeInvariants } from './judge-invariants.ts';
import { surveyTarget } from './preflight.ts';
import { SuiteRun } from './suite-run.ts';
import { summarise } from './summarise.ts';

/**
 * Runs checks against a target and says what holds.
 * Throws TargetUnreachable or KeyRefused when the one question every run begins with gets no answer.
 */
export async function runSuites(options: RunOptions): Promise<Summary> {
  const startedAt = new Date();
  const wire = new Wire(options);
  try {
    const survey = await fitted(await surveyTarget(wire, options), wire, options);
    const run = new SuiteRun(options, wire, survey);
    for (const stage of STAGES) await run.stage(stage);
    const armed = await leftArmed(wire.deployment);
    await run.shrinkFailures();
    const invariants = judgeInvariants(options.invariants, wire.record, survey);
    const durationMs = Date.now() - startedAt.getTime();
    const summary = summarise({
      options,
      wire,
      tallies: run.tallies,
      invariants,
      unsent: run.unsent,
      ...(armed !== undefined && { leftArmed: armed }),
      startedAt,
      durationMs,
    });
    // What a judgement read out of several places of an answer may be a key all the same.
    return wire.redactor.value(summary);
  } finally {
    await wire.close();
  }
}

/** The survey with as many output tokens as the target serves, where the run sends any chat. */
async function fitted(survey: Survey, wire: Wire, { checks, signal }: RunOptions): Promise<Survey> {
  const sendsChats = checks.some(
    ({ given }) => given.readsOnly !== true && given.lacks?.(survey) === undefined,
  );
  if (!sendsChats || signal?.aborted === true) return survey;
  const outputTokens = await fitOutput(survey, wire.sender('preflight'));
  wire.allowOutput(outputTokens);
  return { ...survey, outputTokens };
}
