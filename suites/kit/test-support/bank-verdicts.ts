import type { Check } from '../model/check.ts';
import type { RunOptions } from '../model/run.ts';
import type { Summary } from '../model/summary.ts';
import { runSuites } from '../running/run-suites.ts';
import type { Departures } from './bank.ts';
import { type SmallBank, startSmallBank } from './small-bank.ts';

export interface BankRun {
  readonly bank: SmallBank;
  readonly summary: Summary;
}

/** A run of these checks against a small bank. */
export async function runAgainstBank(
  checks: readonly Check[],
  departures: Departures = {},
  more: Partial<RunOptions> = {},
  as: 'controlled' | 'uncontrolled' = 'controlled',
): Promise<BankRun> {
  const bank = await startSmallBank(departures);
  const summary = await runSuites({
    target: {
      baseUrl: bank.baseUrl,
      kind: 'live',
      keys: { primary: 'sk-bank' },
      profile: {},
      headers: {},
    },
    ...(as === 'controlled' && {
      control: { url: bank.control, token: 'control-token', patienceMs: 250 },
    }),
    checks,
    invariants: [],
    seed: 1,
    runs: 1,
    concurrency: 4,
    timeoutMs: 10_000,
    caps: { requests: 300, completions: 80, outputTokens: 16 },
    allow: new Set(),
    ...more,
  });
  return { bank, summary };
}

/** Verdict and reason of one check, alone. */
export async function bankVerdict(check: Check, departures: Departures = {}): Promise<string> {
  const { summary } = await runAgainstBank([check], departures);
  const [result] = summary.checks;
  return `${result?.verdict}: ${result?.reason}`;
}
