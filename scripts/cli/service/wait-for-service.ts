import { setTimeout as pauseFor } from 'node:timers/promises';
import { ENDPOINTS } from '../../../fixtures/chats/chat.ts';
import type { Outcome } from '../../../suites/engine/model/exchange.ts';
import type { Target } from '../../../suites/engine/model/run.ts';
import { CONNECTION_REFUSED } from '../../../suites/engine/network/connection-failures.ts';
import { sentRequest } from '../../../suites/engine/sending/sent-request.ts';
import { connectTo } from '../../../suites/engine/sending/target-connection.ts';
import { redactorOf } from '../../../suites/engine/text/redact.ts';
import { noteLine } from '../terminal/output.ts';
import type { StartedService } from './start-service.ts';

/** A service that the run started is asked often, and a gateway, which may count, seldom. */
const PAUSE_MS = { started: 40, other: 500 } as const;
/** What takes no longer is not worth a line. */
const SILENT_MS = 1000;

/**
 * Waits until a target answers anything, with its key and headers, by GETs of its models. Returns also where waiting did
 * not help, or would not, as for an unknown host: the run itself then says what is wrong, in all its reports.
 */
export async function waitForService(
  target: Target,
  seconds: number,
  signal: AbortSignal,
  service: StartedService | undefined,
): Promise<void> {
  const began = performance.now();
  const pause = PAUSE_MS[service === undefined ? 'other' : 'started'];
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
    await pauseFor(pause, undefined, { signal }).catch(() => {});
  }
}

/** Whether a target answers, before anything was started there. */
export async function answersAlready(target: Target): Promise<boolean> {
  const outcome = await askedOnce(target);
  return outcome.kind !== 'not-sent' && outcome.answer !== undefined && missingIn(outcome) === undefined;
}

/** How long a service that restarts itself may take to notice a change. */
const NOTICE_MS = 600;
const LOOK_EVERY_MS = 25;

/** Resolves once a service that restarts itself is away, or has had the time to go: until then it answers as before. */
export async function noticedChange(target: Target, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + NOTICE_MS;
  while (performance.now() < deadline && !signal.aborted && (await answersAlready(target)))
    await pauseFor(LOOK_EVERY_MS);
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

/** What a gateway says while the service behind it starts. */
const NOT_YET: ReadonlySet<number> = new Set([502, 503, 504]);

/** What is missing for an answer, where waiting may help. */
function missingIn(outcome: Outcome): string | undefined {
  if (outcome.kind === 'not-sent')
    return outcome.reason.startsWith(CONNECTION_REFUSED) ? outcome.reason : undefined;
  if (outcome.answer === undefined) return outcome.kind === 'uncertain' ? outcome.reason : undefined;
  const { status } = outcome.answer;
  return NOT_YET.has(status) ? `status ${status}` : undefined;
}
