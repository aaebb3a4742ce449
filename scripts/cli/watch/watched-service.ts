import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Target } from '../../../suites/kit/model/run.ts';
import type { CheckOptions } from '../check/check-options.ts';
import { noteDeath, targetOf, USUAL_WAIT_S } from '../check/with-service.ts';
import { type Service, ServiceStarter } from '../service/start-service.ts';
import { answersAlready, waitForService } from '../service/wait-for-service.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';

/** Nobody waits longer for a service that does not end by itself, between saving a file and a verdict. */
const GRACE_MS = 300;

/** How long a service that restarts itself may take to notice a change. */
const NOTICE_MS = 600;
const LOOK_EVERY_MS = 25;

/** The service of a watch: started anew by the watch, or by itself, after each change. */
export class WatchedService {
  #starter: ServiceStarter | undefined;
  #service: Service | undefined;

  /** Whether the target can be checked now; false when its service died, whose last output is then printed. */
  async renew(options: CheckOptions, signal: AbortSignal): Promise<boolean> {
    const target = targetOf(options);
    if (target === undefined)
      throw new UsageError('--watch requires --base-url: it is where the service answers');
    const isStarted = options.service === undefined || (await this.#start(options, target));
    if (!isStarted)
      throw new UsageError(`something answers at ${target.baseUrl} already: end it, or leave out --start`);
    if (options.service === undefined) await this.#noticed(target, signal);
    const seconds = options.wait ?? USUAL_WAIT_S;
    await waitForService(target, { seconds, signal, onNote: noteLine, service: this.#service });
    if (this.#service?.death() === undefined) return true;
    noteDeath(this.#service, options, target);
    return false;
  }

  /** Prints the last output of a service that died in a run. */
  mourn(options: CheckOptions): void {
    const target = targetOf(options);
    if (target !== undefined && this.#service !== undefined) noteDeath(this.#service, options, target);
  }

  async close(): Promise<void> {
    await this.#starter?.close();
  }

  /** Whether there was room for it. */
  async #start({ service: command }: CheckOptions, target: Target): Promise<boolean> {
    if (command === undefined) return true;
    await this.#service?.stop(GRACE_MS);
    if (await answersAlready(target)) return false;
    this.#starter ??= new ServiceStarter();
    this.#service = await this.#starter.start(command);
    return true;
  }

  /** A service that restarts itself still answers for a moment: it is checked once it was away, or had time to go. */
  async #noticed(target: Target, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + NOTICE_MS;
    while (performance.now() < deadline && !signal.aborted && (await answersAlready(target)))
      await pauseFor(LOOK_EVERY_MS);
  }
}
