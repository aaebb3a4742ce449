import { z } from 'zod';
import { type Operation, operation, whole } from '../../../mock-server/control/operation.ts';
import { type Sandbox, sandboxPrefix } from '../../../mock-server/sandboxes/sandboxes.ts';
import { type TestMock, testMock } from '../../../mock-server/sandboxes/test-mock.ts';
import type { Mock } from '../../../mock-server/start-mock.ts';
import { type DriverRecord, WATCHED } from '../../../suites/caller/timeline.ts';
import type { RunOutcome, Summary } from '../../../suites/engine/model/summary.ts';
import { withoutColours, styleTextFor } from '../../../suites/engine/reports/colours.ts';
import { counted } from '../../../suites/engine/reports/display-verdict.ts';
import { jsonReport } from '../../../suites/engine/reports/json-report.ts';
import { terminalReport } from '../../../suites/engine/reports/terminal-report.ts';
import { safeLines } from '../../../suites/engine/text/printable.ts';
import { callerSummary } from '../caller-summary.ts';
import { connectionsSettled, observedTimeline, underWay } from '../observe-sandbox.ts';

/** Facts about a caller that a mock cannot know. */
export interface JudgeOptions {
  /** Milliseconds that the client was told to wait for an answer; 120000 by default. */
  readonly timeoutMs?: number;
  /** What the caller kept of its requests. */
  readonly records?: readonly DriverRecord[];
}

/** Why nothing final can be said: an answer is missing, or what was dropped may have shown anything. */
function problemsIn(service: Sandbox): readonly string[] {
  const waiting = underWay({ service });
  const { dropped = 0 } = service.recorder ?? {};
  const late = `${counted(waiting, 'request')} ${waiting === 1 ? 'was' : 'were'} still under way: wait for the client before you judge it`;
  const lost = `the first ${dropped} requests are no longer kept: judge earlier, or give each test its own sandbox`;
  return [...(waiting > 0 ? [late] : []), ...(dropped > 0 ? [lost] : [])];
}

/** Judges everything that arrived in a sandbox so far as the requests of one caller. */
function judgeSandbox(sandbox: Sandbox, options: JudgeOptions = {}): Summary {
  const { recorder, service } = sandbox;
  const startedAt = recorder?.requests[0]?.arrivedAt ?? performance.now();
  const facts = { ...WATCHED, startedAt, problems: problemsIn(sandbox), ...options };
  const timeline = observedTimeline({ service: sandbox }, facts);
  const summary = callerSummary([timeline], {
    name: 'any caller',
    seed: service.seed,
    startedAt: new Date(),
    durationMs: (timeline.requests.at(-1)?.arrivedAt ?? startedAt) - startedAt,
  });
  // What was only observed cannot be played again.
  const checks = summary.checks.map((each) =>
    each.evidence.length === 0 ? each : { ...each, again: `chat-conformance explain ${each.id}` },
  );
  return { ...summary, checks };
}

/** The mock of a test. */
export interface JudgedMock extends TestMock {
  /** The base URL, which ends in /v1: the same in every test of a file. */
  readonly url: string;
  /** The URL of the control API of this test. */
  readonly control: string;
  /** Judges everything that arrived so far by the clauses that bind callers. */
  judge(options?: JudgeOptions): Promise<Summary>;
}

/** A test's view of a sandbox of a mock that records its requests. */
export function judgedMock({ url, control }: Pick<Mock, 'url' | 'control'>, sandbox: Sandbox): JudgedMock {
  const judge = async (options?: JudgeOptions): Promise<Summary> => {
    await connectionsSettled({ service: sandbox });
    return judgeSandbox(sandbox, options);
  };
  return Object.assign(testMock(sandbox), { url, control: `${control}${sandboxPrefix(sandbox.id)}`, judge });
}

/** The verdicts on the caller of a sandbox, for a terminal. */
export function judgementOn(sandbox: Sandbox): { readonly text: string; readonly outcome: RunOutcome } {
  const summary = judgeSandbox(sandbox);
  const styleText = styleTextFor('stderr');
  const text = terminalReport(summary, { styleText, detail: 'everything' }).trimEnd();
  return { text, outcome: summary.outcome };
}

/** Why a caller is not faithful, as text; undefined: it kept every clause that was exercised. Takes what `judge()` resolves to. */
export function violationsText(summary: Summary): string | undefined {
  if (summary instanceof Promise)
    throw new TypeError(
      'judge() returns a promise: await it, as in expect(await mock().judge()).toBeFaithful()',
    );
  if (summary.outcome === 'conformant') return undefined;
  const what =
    summary.outcome === 'violations'
      ? 'the caller is not faithful'
      : 'nothing shows yet whether the caller is faithful';
  const report = terminalReport(summary, { styleText: withoutColours, detail: 'failures' });
  return safeLines(`${what}\n${report.trimEnd()}`);
}

/** Throws an error that shows what the caller did wrong, unless it is faithful. */
export function assertFaithful(summary: Summary): void {
  const violations = violationsText(summary);
  if (violations !== undefined) throw new Error(violations);
}

const query = z.strictObject({
  timeoutMs: whole(999_999_999)
    .exactOptional()
    .describe('Milliseconds that the client was told to wait; 120000 if absent'),
});

/** The operation that `mock --judge` adds to the control API. */
export const JUDGE_OPERATION: Operation = operation('GET', '/judge', {
  name: 'judgeCaller',
  summary:
    'Judges everything that called so far by the clauses that bind callers: a report, like that of a run, and in `requestIds` the requests that it calls #1, #2, …',
  query,
  run({ sandbox, query: options }) {
    const requestIds = sandbox.recorder?.requests.map(({ entry }) => entry.requestId);
    return { ...JSON.parse(jsonReport(judgeSandbox(sandbox, options))), requestIds };
  },
});
