import { printable } from '../../../suites/engine/text/printable.ts';
import { type Redactor, redactorOf } from '../../../suites/engine/text/redact.ts';
import { type StartedService, startService } from '../service/start-service.ts';
import { answersAlready, noticedChange, waitForService } from '../service/wait-for-service.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import type { CheckOptions } from './check-options.ts';

/** How long a run waits for the service that it started, and a round for one that restarts itself. */
const USUAL_WAIT_S = 60;

/** How long a service may take to end; nobody waits longer between saving a file and the verdict of the next round. */
const GRACE_MS = { run: 5000, round: 300 };

/**
 * Runs against the service that the options start, or wait for; ends it, and all that it started, whatever happens. It
 * runs on until `hold` resolves.
 * @throws {UsageError} When something answers in its place already, or it cannot be started.
 */
export async function withService<T>(
  options: CheckOptions,
  signal: AbortSignal,
  run: () => Promise<T>,
  hold?: (result: T) => Promise<void>,
): Promise<T> {
  const { target, service: command } = options;
  if (target.kind === 'mock') return run();
  if (command !== undefined && (await answersAlready(target)))
    throw new UsageError(`something answers at ${target.baseUrl} already: end it, or leave out --start`);
  if (command === undefined && hold !== undefined) await noticedChange(target, signal);
  const service = command && (await startService(command));
  try {
    const seconds = options.wait ?? ((service ?? hold) === undefined ? undefined : USUAL_WAIT_S);
    if (seconds !== undefined) await waitForService(target, seconds, signal, service);
    const result = await run();
    if (service !== undefined) noteDeath(service, redactorOf(target, options.control?.token));
    await hold?.(result);
    return result;
  } finally {
    await service?.stop(hold === undefined ? GRACE_MS.run : GRACE_MS.round);
  }
}

const MOST_LINES = 20;

/** Its last lines say why it ended, without the keys of the run. */
function noteDeath(service: StartedService, { text }: Redactor): void {
  const death = service.death();
  if (death === undefined) return;
  const printed = service.printed().trimEnd();
  noteLine(`The started service ended by itself (${death})${printed === '' ? ' and printed nothing' : ':'}`);
  if (printed === '') return;
  for (const line of printed.split(/\r?\n/).slice(-MOST_LINES)) noteLine(`  ${printable(text(line))}`);
}
