import { setTimeout as pauseFor } from 'node:timers/promises';
import { ENDPOINTS } from '../../../fixtures/chats/chat.ts';
import type { Outcome } from '../../../suites/engine/model/exchange.ts';
import type { Target } from '../../../suites/engine/model/run.ts';
import { CONNECTION_REFUSED } from '../../../suites/engine/network/connection-failures.ts';
import { sentRequest } from '../../../suites/engine/sending/sent-request.ts';
import { connectTo } from '../../../suites/engine/sending/target-connection.ts';
import { redactorOf } from '../../../suites/engine/text/redact.ts';
import { UsageError, noteLine } from '../terminal/terminal.ts';
import type { CheckOptions } from './check-options.ts';
import { type StartedService, startService } from './start-service.ts';

/** How long a run waits for the service that it started, and a round for one that is restarted. */
const USUAL_WAIT_S = 60;

/** How long a service may take to end; nobody waits longer between saving a file and the verdict of the next round. */
const GRACE_MS = { run: 5000, round: 300 };

/**
 * Runs against the service that the options start, or wait for; ends it, and all that it started, whatever happens. It
 * runs on until `hold` resolves.
 * @throws {UsageError} When something answers in its place already, or it cannot be started.
 */
export async function withService<T>(
  { target, control, service: command, wait }: CheckOptions,
  signal: AbortSignal,
  run: () => Promise<T>,
  hold?: (result: T) => Promise<void>,
): Promise<T> {
  if (target.kind === 'mock') return run();
  if (command !== undefined && (await answersAlready(target)))
    throw new UsageError(`${target.baseUrl} is already in use: stop that process, or leave out --start`);
  if (command === undefined && hold !== undefined)
    await pauseFor(NOTICE_MS, undefined, { signal }).catch(() => {});
  const service = command && (await startService(command.command, command.folder));
  try {
    const seconds = wait ?? ((service ?? hold) === undefined ? undefined : USUAL_WAIT_S);
    if (seconds !== undefined) await waitForService(target, seconds, signal, service);
    const noteDeath = (): void => service?.noteDeath(redactorOf(target, control?.token));
    // It is why the run cannot begin; its last output may be under way.
    if (service?.death() !== undefined) await pauseFor(PAUSE_MS.started);
    noteDeath();
    const result = await run();
    noteDeath();
    await hold?.(result);
    return result;
  } finally {
    await service?.stop(hold === undefined ? GRACE_MS.run : GRACE_MS.round);
  }
}

/** How long a service that restarts itself may take to notice a change: until then, the old one answers. */
const NOTICE_MS = 600;

/** A service that the run started is asked often, and a gateway, which may count, seldom. */
const PAUSE_MS = { started: 40, other: 500 } as const;

/** What takes no longer is not worth a line. */
const SILENT_MS = 1000;

/**
 * Waits until a target answers anything, with its key and headers, by GETs of its models. Returns also where waiting did
 * not help, or would not, as for an unknown host: the run itself then says what is wrong, in all its reports.
 */
async function waitForService(
  target: Target,
  seconds: number,
  signal: AbortSignal,
  service: StartedService | undefined,
): Promise<void> {
  const began = performance.now();
  let said: string | undefined;
  for (;;) {
    const missing = missingIn(await askedOnce(target));
    if (missing === undefined || signal.aborted || service?.death() !== undefined) return;
    const waited = performance.now() - began;
    if (waited >= seconds * 1000)
      return noteLine(`${target.baseUrl} did not answer within ${seconds} s: ${missing}`);
    if (missing !== said && (service === undefined || waited > SILENT_MS)) {
      noteLine(`waiting for ${target.baseUrl} (${missing}), ${seconds} s at most`);
      said = missing;
    }
    const pause = PAUSE_MS[service === undefined ? 'other' : 'started'];
    await pauseFor(pause, undefined, { signal }).catch(() => {});
  }
}

/** Whether a target answers, before anything was started there. */
async function answersAlready(target: Target): Promise<boolean> {
  const outcome = await askedOnce(target);
  return outcome.kind !== 'not-sent' && outcome.answer !== undefined && missingIn(outcome) === undefined;
}

/** A listening socket is no service yet: one that does not answer in this time is asked again. */
const LONGEST_ANSWER_MS = 5000;

async function askedOnce(target: Target): Promise<Outcome> {
  const connection = connectTo(target, LONGEST_ANSWER_MS, redactorOf(target));
  try {
    const request = sentRequest({ method: 'GET', path: ENDPOINTS.models });
    return await connection.exchange(request, { keepBytes: 0 });
  } finally {
    await connection.close();
  }
}

/** What is missing for an answer, where waiting may help. */
function missingIn(outcome: Outcome): string | undefined {
  if (outcome.kind === 'not-sent')
    return outcome.reason.startsWith(CONNECTION_REFUSED) ? outcome.reason : undefined;
  if (outcome.answer === undefined) return outcome.kind === 'uncertain' ? outcome.reason : undefined;
  const { status } = outcome.answer;
  // What a gateway says while the service behind it starts.
  return [502, 503, 504].includes(status) ? `status ${status}` : undefined;
}
