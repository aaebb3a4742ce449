import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLoopback } from '../../../mock-server/protocol/loopback.ts';
import { printable } from '../../../suites/engine/text/printable.ts';
import { startForwarder } from '../../proxy/forwarder.ts';
import { Recorder } from '../../proxy/recorder.ts';
import { Recording } from '../../proxy/recording.ts';
import type { ProxyFlags } from '../options/command-tables.ts';
import { resolveNetwork } from '../options/network-options.ts';
import { baseUrlOf, controlUrlOf } from '../options/target-options.ts';
import { giveReports } from '../reports/give-reports.ts';
import { JOURNAL, makeReportFolder, openJournal } from '../reports/report-folder.ts';
import { UsageError, interruptible, noteLine, writeLine } from '../terminal/terminal.ts';
import { prepareFile } from '../terminal/write-file.ts';

/**
 * `chat-conformance proxy`: stands between callers and a service until SIGINT or SIGTERM, reports, and sets the exit code.
 * @throws {UsageError} Before it listens.
 */
export async function runProxyCommand(flags: ProxyFlags): Promise<void> {
  const { target, record, failOn, quiet, port = 0, host = '127.0.0.1' } = flags;
  if (target === undefined) throw new UsageError('--target is required: the base URL of the service');
  const baseUrl = baseUrlOf(target, '--target');
  const controlUrl = flags.controlUrl === undefined ? undefined : controlUrlOf(flags.controlUrl);
  if (controlUrl !== undefined && new URL(controlUrl).origin !== new URL(baseUrl).origin)
    throw new UsageError('--control-url must have the origin of --target: lookups pass the same proxy');
  const network = await resolveNetwork(flags);
  if (record !== undefined) prepareFile(record);
  const recording = record === undefined ? undefined : new Recording(record, noteLine);
  const report = makeReportFolder(flags.report);
  const file = join(report, JOURNAL);
  const fd = openJournal(file);
  const recorder = new Recorder({ baseUrl, controlUrl, network, recording, journal: { fd, file } });
  try {
    const forwarder = await startForwarder({ target: baseUrl, network, host, port, recorder });
    if (!isLoopback(host))
      noteLine(`Whoever reaches ${new URL(forwarder.baseUrl).origin} can send requests to ${baseUrl}`);
    const judged = await interruptible(
      () => {},
      async (signal) => {
        writeLine(JSON.stringify({ url: forwarder.baseUrl, target: baseUrl, pid: process.pid }));
        await printFindings(recorder, signal);
        await forwarder.close();
        return recorder.end();
      },
    );
    process.exitCode = (await giveReports(judged, { failOn, quiet, report })).code;
  } finally {
    closeSync(fd);
  }
}

/** How often new findings are printed while traffic passes, at most. */
const PRINT_EVERY_MS = 1000;

/** Judging that took long is followed by so many times as long without it. */
const REST_FACTOR = 10;

/** Prints each check that fails, once, until the signal. */
async function printFindings(recorder: Recorder, signal: AbortSignal): Promise<void> {
  const said = new Set<string>();
  let judged = 0;
  while (!signal.aborted) {
    const since = performance.now();
    const isNew = recorder.noted > judged;
    judged = recorder.noted;
    const { checks } = isNew ? await recorder.summary() : { checks: [] };
    for (const { id, clauses, verdict, evidence } of checks) {
      const [found] = evidence;
      if (found === undefined || said.has(id)) continue;
      said.add(id);
      const { expected, actual } = found.finding;
      const text = printable(`expected ${expected}; got ${actual}`, 300);
      noteLine(`${verdict === 'fail' ? '✘' : '⚠'} ${id} (${clauses.join(' ')}): ${text}`);
    }
    const rest = Math.max(PRINT_EVERY_MS, REST_FACTOR * (performance.now() - since));
    await sleep(rest, undefined, { signal }).catch(() => {});
  }
}
