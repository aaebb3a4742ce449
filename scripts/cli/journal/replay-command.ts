import { HEADERS } from '../../../fixtures/chats/wire.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { printable, showExchange } from '../../../suites/kit/evidence/show-exchange.ts';
import { didYouMean } from '../../../suites/kit/files/did-you-mean.ts';
import type { Recording } from '../../../suites/kit/journal/read-journal.ts';
import { type Check, isOwn } from '../../../suites/kit/model/check.ts';
import type { Ruling } from '../../../suites/kit/model/ruling.ts';
import { recordedFindings } from '../../../suites/kit/recorded/recorded-findings.ts';
import { replayOfCheck } from '../../../suites/kit/recorded/replay-check.ts';
import { replayOfInvariant } from '../../../suites/kit/recorded/replay-invariant.ts';
import {
  ReplayError,
  requireKeys,
  type PreparedReplay,
  type ReplayOutcome,
  type Replay,
} from '../../../suites/kit/recorded/replay.ts';
import { answerLine, requestLines } from '../../../suites/kit/reporting/terminal/failures.ts';
import { summarise } from '../../../suites/kit/summary/summarise.ts';
import { catalogueOf } from '../modules/catalogue-of.ts';
import { rerunCommand } from '../reports/rerun-command.ts';
import { latestRun } from '../reports/run-folders.ts';
import { UsageError, EXIT } from '../terminal/exit.ts';
import { writeLine } from '../terminal/output.ts';
import { type FoundRun, readRun } from './journal-file.ts';
import { configuredReplay, resolveReplayOptions, type ReplayFlags, runReplay } from './run-replay.ts';

function prepared(id: string, recording: Recording, checks: readonly Check[]): PreparedReplay {
  const check = checks.find((each) => each.id === id);
  if (check !== undefined) return replayOfCheck(check, recording);
  const invariant = INVARIANTS.find((each) => each.id === id);
  if (invariant !== undefined) return replayOfInvariant(invariant, recording);
  const known = [...checks, ...INVARIANTS].map((each) => each.id);
  if (isOwn({ id }))
    throw new UsageError(`no check is called "${id}": --checks FILE names the module that declares it`);
  throw new UsageError(
    `no check is called "${id}"${didYouMean(id, known) || ': chat-conformance list shows them all'}`,
  );
}

/** The command that runs the check against the same target again. */
function wholeAgain({ recording }: FoundRun, id: string): string {
  const { run } = recording;
  const { target, seed, runs, allow, caps } = run;
  if (run.again !== undefined) return againOf(recording, id) ?? `${run.again} --only ${id}`;
  const { baseUrl, controlUrl } = target;
  const live = {
    baseUrl,
    header: target.headers,
    ...(allow.length > 0 && { allow }),
    ...(controlUrl !== undefined && { controlUrl }),
  };
  const output = caps.outputTokens === null ? {} : { maxOutputTokens: caps.outputTokens };
  return rerunCommand({ ...(target.kind === 'live' && live), runs, ...output }, seed, id);
}

/** As the report of the run says it. */
function againOf(recording: Recording, id: string): string | undefined {
  const { checks } = summarise(recordedFindings(recording, INVARIANTS));
  return checks.find((each) => each.id === id)?.again;
}

/** What is printed of a replay. */
interface ToldReplay {
  readonly outcome: ReplayOutcome;
  readonly lines: readonly string[];
}

async function replayed(id: string, found: FoundRun, flags: ReplayFlags): Promise<ToldReplay> {
  const { recording, file } = found;
  try {
    const { checks } = await catalogueOf(await configuredReplay(flags));
    const { exchanges, send } = prepared(id, recording, checks);
    const plan = await resolveReplayOptions(recording, file, flags, process.env);
    if (plan.destination.kind === 'live') requireKeys(exchanges, plan.destination.keys);
    return await runReplay(plan, recording, (options) => send(options, told));
  } catch (error) {
    if (!(error instanceof ReplayError)) throw error;
    throw new UsageError(`${error.message}; to check it again: ${wholeAgain(found, id)}`);
  }
}

/**
 * `chat-conformance replay`: sends the requests behind a failure again, says whether it still fails, and sets the exit
 * code.
 * @throws {UsageError} When there is no such failure, or what it takes is not at hand.
 */
export async function runReplayCommand(
  path: string | undefined,
  id: string,
  flags: ReplayFlags,
): Promise<void> {
  const found = readRun(path ?? latestRun());
  const { outcome, lines } = await replayed(id, found, flags);
  const whole = `this request is fixed; the whole check: ${wholeAgain(found, id)}`;
  for (const line of [...lines, ...(outcome === 'fixed' ? [whole] : []), outcome]) writeLine(line);
  process.exitCode = REPLAY_EXIT[outcome];
}

/** The exit code of a replay. */
const REPLAY_EXIT: Readonly<Record<ReplayOutcome, number>> = {
  fixed: EXIT.conformant,
  'still fails': EXIT.violations,
  'fails differently': EXIT.violations,
  unknown: EXIT.incomplete,
};

/** Says what was sent, what was answered, and what that means, while the journal of the replay is open: bodies are in it. */
export function told({ exchanges, before, now, outcome }: Replay): ToldReplay {
  const sent = exchanges
    .map((each) => showExchange(each))
    .flatMap((exchange) => {
      const [line = '', headers = '', body = ''] = requestLines(exchange);
      return [line, ...[headers, body].filter(Boolean).map(indented), indented(`→ ${answerLine(exchange)}`)];
    });
  const uncertain = uncertainLines(exchanges);
  const lines = [...sent, '', ...uncertain, `before: ${said(before)}`, `now:    ${said(now)}`, ''];
  return { outcome, lines };
}

/** They must be looked up before they are sent again (CALL-2). */
function uncertainLines(exchanges: Replay['exchanges']): readonly string[] {
  const uncertain = exchanges.filter(({ outcome, armed }) => outcome.kind === 'uncertain' && !armed);
  return uncertain.map(({ request }) => {
    const key = request.headers[HEADERS.idempotencyKey] ?? '(none)';
    return `its outcome is unknown, check it in the workspace: Idempotency-Key ${key}`;
  });
}

const indented = (line: string): string => `    ${line}`;

function said(ruling: Ruling | Error): string {
  if (ruling instanceof Error) return printable(`internal error: ${ruling.message}`);
  switch (ruling.kind) {
    case 'holds':
      return 'as it should be';
    case 'violated':
      return printable(`expected ${ruling.finding.expected}; got ${ruling.finding.actual}`);
    case 'observed':
      return printable(
        ruling.observations.map(({ point, value }) => `${point}: ${JSON.stringify(value)}`).join(', '),
      );
    case 'not-exercised':
    case 'inconclusive':
      return printable(ruling.reason);
  }
}
