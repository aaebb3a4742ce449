import { setTimeout as pauseFor } from 'node:timers/promises';
import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import type { Outcome } from '../../../suites/kit/model/exchange.ts';
import type { Target } from '../../../suites/kit/model/run.ts';
import { CONNECTION_REFUSED } from '../../../suites/kit/network/connection-failures.ts';
import { redactorOf } from '../../../suites/kit/redacting/redact.ts';
import { sentRequest } from '../../../suites/kit/sending/sent-request.ts';
import { TargetConnection } from '../../../suites/kit/sending/target-connection.ts';
import type { StartedService } from './start-service.ts';

export interface Wait {
  readonly seconds: number;
  readonly signal: AbortSignal;
  /** Receives a line for each thing that is waited for. */
  readonly onNote: (line: string) => void;
  /** The service that the run started, if it did. */
  readonly service: StartedService | undefined;
}

/** What a gateway says while the service behind it starts. */
const NOT_YET: ReadonlySet<number> = new Set([502, 503, 504]);

/** A listening socket is no service yet: one that does not answer in this time is asked again. */
const LONGEST_ANSWER_MS = 5000;

const SHORTEST_PAUSE_MS = 20;
/** A service that the run started is asked often, and a gateway, which may count, no more than once a second. */
const LONGEST_PAUSE_MS = { started: 40, other: 1000 } as const;
/** What takes no longer is not worth a line. */
const SILENT_MS = 1000;

/**
 * Waits until a target answers anything, with its key and headers, by GETs of its models. Returns also where waiting did
 * not help, or would not, as for an unknown host: the run itself then says what is wrong, in all its reports.
 */
export async function waitForService(target: Target, waiting: Wait): Promise<void> {
  const probe = openProbe(target);
  try {
    await answered(target.baseUrl, probe.missing, waiting);
  } finally {
    await probe.close();
  }
}

async function answered(baseUrl: string, missing: Probe['missing'], waiting: Wait): Promise<void> {
  const { seconds, signal, onNote, service } = waiting;
  const began = performance.now();
  const longest = LONGEST_PAUSE_MS[service === undefined ? 'other' : 'started'];
  let said: string | undefined;
  for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(pause * 1.3, longest)) {
    const reason = await missing();
    if (reason === undefined || signal.aborted || service?.death() !== undefined) return;
    const waited = performance.now() - began;
    if (waited >= seconds * 1000) return onNote(`${baseUrl} did not answer within ${seconds} s: ${reason}`);
    if (reason !== said && (service === undefined || waited > SILENT_MS)) {
      onNote(`waiting for ${baseUrl} (${reason}), ${seconds} s at most`);
      said = reason;
    }
    await pauseFor(pause, undefined, { signal }).catch(() => {});
  }
}

/** Whether a target answers before anything was started there. */
export async function answersAlready(target: Target): Promise<boolean> {
  const probe = openProbe(target);
  try {
    return isAnswer(await probe.outcome());
  } finally {
    await probe.close();
  }
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

interface Probe {
  readonly outcome: () => Promise<Outcome>;
  /** What is missing, where waiting may help. */
  readonly missing: () => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

function openProbe(target: Target): Probe {
  const connection = new TargetConnection(target, LONGEST_ANSWER_MS, redactorOf(target));
  const request = sentRequest({ method: 'GET', path: ENDPOINTS.models });
  const outcome = (): Promise<Outcome> => connection.exchange(request, { keepBytes: 0 });
  return { outcome, missing: async () => missingIn(await outcome()), close: () => connection.close() };
}

function isAnswer(outcome: Outcome): boolean {
  return outcome.kind !== 'not-sent' && missingIn(outcome) === undefined;
}

function missingIn(outcome: Outcome): string | undefined {
  if (outcome.kind === 'not-sent')
    return outcome.reason.startsWith(CONNECTION_REFUSED) ? outcome.reason : undefined;
  const { answer } = outcome;
  if (answer !== undefined) return NOT_YET.has(answer.status) ? `status ${answer.status}` : undefined;
  return outcome.kind === 'uncertain' ? outcome.reason : undefined;
}
