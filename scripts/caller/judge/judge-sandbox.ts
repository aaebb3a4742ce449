import type { Sandbox } from '../../../mock-server/sandboxes/sandbox.ts';
import type { DriverRecord, Timeline } from '../../../suites/caller/timeline.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { callerSummary } from '../caller-summary.ts';
import { STATED_TIMEOUT_MS } from '../timeouts.ts';
import { outputTokens } from '../run-scenario.ts';
import { callerTimeline } from '../observe-caller.ts';

/** What only whoever runs the caller knows of it. */
export interface JudgeOptions {
  /** Milliseconds that the client was told to wait for an answer; 120000 unless given. */
  readonly timeoutMs?: number;
  /** What the caller kept of its requests. */
  readonly records?: readonly DriverRecord[];
}

/** Everything that arrived in a sandbox so far, as a timeline of one caller. */
function watch(sandbox: Sandbox, { timeoutMs = STATED_TIMEOUT_MS, records }: JudgeOptions): Timeline {
  const { recorder: witness } = sandbox;
  if (witness === undefined) throw new Error('This sandbox has no witness');
  const startedAt = witness.requests[0]?.arrivedAt ?? performance.now();
  // Its model IDs may stand in a document or a world file: whoever uses them may have read them there.
  const known = {
    scenario: 'watched',
    items: [],
    atOnce: undefined,
    records,
    timeoutMs,
    secretModels: false,
  };
  return callerTimeline(
    { service: sandbox, startedAt },
    { ...known, endedAt: Infinity, end: { kind: 'watched' } },
  );
}

/** What can be said so far of whoever called a sandbox: everything that arrived is taken for one caller's. */
export function judgeSandbox(sandbox: Sandbox, told: JudgeOptions = {}): Summary {
  const timeline = watch(sandbox, told);
  const { ledger, seed } = sandbox.service;
  return callerSummary([timeline], {
    name: 'whoever called',
    seed,
    startedAt: new Date(),
    durationMs: timeline.requests.at(-1)?.arrivedAt ?? 0,
    outputTokens: outputTokens({ ledger }),
    problems: [],
  });
}
