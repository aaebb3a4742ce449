import { printable } from '../../../suites/kit/evidence/printable.ts';
import type { Target } from '../../../suites/kit/model/run.ts';
import { redactorOf } from '../../../suites/kit/redacting/redact.ts';
import { type Service, ServiceStarter } from '../service/start-service.ts';
import { answersAlready, waitForService } from '../service/wait-for-service.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import type { CheckOptions } from './check-options.ts';

/** How long a run waits for the service that it started. */
export const USUAL_WAIT_S = 60;

/** The target of a run, unless that is the bundled mock. */
export function targetOf({ destination, headers, profile }: CheckOptions): Target | undefined {
  if (destination.kind === 'mock') return undefined;
  const { control: _control, ...target } = destination;
  return { ...target, headers, profile };
}

/**
 * Runs against the service that the options start, or wait for; ends it, and all that it started, whatever happens.
 * @throws {UsageError} When something answers in its place already, or it cannot be started.
 */
export async function withService<T>(
  options: CheckOptions,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T> {
  const target = targetOf(options);
  const { service: command, wait } = options;
  if (target === undefined) return run();
  if (command === undefined) {
    if (wait !== undefined)
      await waitForService(target, { seconds: wait, signal, onNote: noteLine, service: undefined });
    return run();
  }
  if (await answersAlready(target))
    throw new UsageError(`something answers at ${target.baseUrl} already: end it, or leave out --start`);
  const starter = new ServiceStarter();
  try {
    const service = await starter.start(command);
    await waitForService(target, { seconds: wait ?? USUAL_WAIT_S, signal, onNote: noteLine, service });
    const result = await run();
    noteDeath(service, options, target);
    await service.stop();
    return result;
  } finally {
    await starter.close();
  }
}

/** Its last lines say why it ended, without the keys of the run. */
export function noteDeath(service: Service, { destination }: CheckOptions, target: Target): void {
  const death = service.death();
  if (death === undefined) return;
  const token = destination.kind === 'live' ? destination.control?.token : undefined;
  const { text } = redactorOf(target, token);
  const lines = service.lastOutput();
  noteLine(
    `The started service ended by itself (${death})${lines.length === 0 ? ' and printed nothing' : ':'}`,
  );
  for (const line of lines) noteLine(`  ${printable(text(line))}`);
}
