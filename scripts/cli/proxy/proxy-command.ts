import { join } from 'node:path';
import { isLoopback } from '../../../mock-server/protocol/loopback.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { bufferedBy } from '../../../suites/kit/network/route.ts';
import { styleTextFor } from '../../../suites/kit/reporting/colours.ts';
import { jsonReport } from '../../../suites/kit/reporting/json-report.ts';
import { terminalReport } from '../../../suites/kit/reporting/terminal/terminal-report.ts';
import { type Forwarder, startForwarder } from '../../proxy/forwarder.ts';
import { KeyRing } from '../../proxy/key-ring.ts';
import { Observer } from '../../proxy/observer.ts';
import { beginJournal } from '../../proxy/proxy-journal.ts';
import { Repeats } from '../../proxy/repeats.ts';
import { JOURNAL, openAfresh } from '../journal/keep-journal.ts';
import type { ProxyFlags } from '../options/command-tables.ts';
import { exitCodeOf, withFailOn } from '../options/fail-on.ts';
import { registerRun } from '../reports/run-folders.ts';
import { prepareReportFolder, saveReports } from '../reports/save-reports.ts';
import { EXIT, UsageError, interruptible } from '../terminal/exit.ts';
import { noteLine, writeLine } from '../terminal/output.ts';
import { CONTROL_PATH, controlAt } from './control-path.ts';
import { FindingPrinter } from './finding-printer.ts';
import { type ProxyOptions, resolveProxyOptions } from './proxy-options.ts';

function listening(
  { target, network, host, port, token }: ProxyOptions,
  observer: Observer,
  findings: FindingPrinter,
  repeats: Repeats | undefined,
): Promise<Forwarder> {
  const ended = (relayed: Parameters<Observer['note']>[0]): void => {
    observer.note(relayed);
    findings.noteNew();
  };
  const control = controlAt(async () => jsonReport(await observer.summary()), token);
  const watcher = { arrived: () => {}, ended };
  return startForwarder({ target, network, host, port, control, recorded: repeats?.find, watcher });
}

/** Resolves once the user, or whoever started this process, ends it. */
async function interrupted(): Promise<void> {
  const ending = Promise.withResolvers<void>();
  const { release } = interruptible(() => ending.resolve());
  await ending.promise;
  release();
}

async function report(found: Summary, { quiet, report: folder, failOn }: ProxyOptions): Promise<number> {
  const summary = withFailOn(found, failOn);
  const text = terminalReport(summary, {
    styleText: styleTextFor('stdout'),
    detail: quiet ? 'failures' : 'everything',
    rerunCommand: (checkId) => `chat-conformance explain ${checkId}`,
  });
  writeLine(text.trimEnd());
  const isSaved = await saveReports(folder, summary);
  const code = exitCodeOf(summary);
  return code === EXIT.conformant && !isSaved ? EXIT.incomplete : code;
}

async function served(options: ProxyOptions): Promise<number> {
  const { target: baseUrl, network, recording, token } = options;
  const file = join(options.report, JOURNAL);
  const ring = new KeyRing(token);
  const journal = beginJournal(await openAfresh(file, noteLine), file, baseUrl, { network });
  const way = bufferedBy(baseUrl, network);
  const observer = new Observer({ baseUrl, ring, journal, recording, bufferedBy: way });
  const findings = new FindingPrinter(observer);
  const stopping = new AbortController();
  const repeats = recording && new Repeats(recording, () => observer.recorded());
  try {
    const forwarder = await listening(options, observer, findings, repeats);
    void findings.printUntil(stopping.signal);
    // Before the line that says it is ready: whoever reads it may end the proxy at once.
    const ending = interrupted();
    if (!isLoopback(options.host))
      noteLine(
        `Whoever reaches ${forwarder.origin} can send requests to ${baseUrl} through it${recording === undefined ? '' : `, and ask for what is in ${recording.file}`}`,
      );
    writeLine(
      JSON.stringify({
        url: forwarder.baseUrl,
        target: baseUrl,
        control: forwarder.origin + CONTROL_PATH,
        pid: process.pid,
      }),
    );
    await ending;
    await forwarder.close();
    await repeats?.close();
    stopping.abort();
    await findings.printNew();
    const summary = await observer.summary();
    await observer.finish(summary);
    return await report(summary, options);
  } finally {
    stopping.abort();
    journal.close();
  }
}

/**
 * `chat-conformance proxy`: stands between callers and a service until SIGINT or SIGTERM, reports, and sets the exit code.
 * @throws {UsageError} Before it listens.
 */
export async function runProxyCommand(flags: ProxyFlags): Promise<void> {
  const options = await resolveProxyOptions(flags, process.env);
  prepareReportFolder(options.report);
  if (options.isUsualFolder) registerRun(options.report);
  try {
    process.exitCode = await served(options);
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && error.syscall === 'listen')
      throw new UsageError(
        `cannot listen on ${options.host}:${options.port} (${String(Reflect.get(error, 'code'))})`,
      );
    throw error;
  }
}
