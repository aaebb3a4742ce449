import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { maskedWords } from '../../fixtures/credentials/secret-names.ts';
import type { CallerEnd, WrittenPiece } from '../../suites/caller/timeline.ts';
import { FileError } from '../../suites/engine/text/read-json-file.ts';
import { lastLine } from './caller-summary.ts';
import { collectOutput, freePort, PORT, type ProcessGroup, shellCode, startGroup } from './process-group.ts';
import {
  callerEnvironment,
  type CallerInputs,
  type CallerLimits,
  endOf,
  GRACE_MS,
  overAfter,
  runGroup,
  type StartCaller,
} from './start-command.ts';

/** A server application, and what drives it: its tests, or a script. Both are lines for a shell. */
export interface ServedCaller extends CallerLimits {
  readonly serve: string;
  readonly drive: string;
  /** The URL that answers once the server is ready; undefined: it is ready when its port accepts a connection. */
  readonly ready: string | undefined;
}

/**
 * Makes a `StartCaller` that starts a server, waits until it is ready, drives it and ends it. Where the scenario says so, it
 * then kills the server, starts it anew and drives it again.
 * It rejects with a FileError if the server cannot be started.
 */
export function serveAndDrive(caller: ServedCaller): StartCaller {
  return async (inputs) => {
    caller.signal.throwIfAborted();
    const port = String(freePort());
    const [serve = '', drive = '', place = ''] = [caller.serve, caller.drive, caller.ready ?? PORT].map(
      (text) => text.replaceAll(PORT, port),
    );
    if (await answersAt(place)) throw new FileError(alreadyAnswers(place));
    const env = { ...callerEnvironment(inputs, caller.names), PORT: port };
    return live({ ...caller, serve, drive, place }, inputs, env);
  };
}

interface PlacedCaller extends ServedCaller {
  /** The URL that answers once the server is ready, or its port. */
  readonly place: string;
}

/** The lives of the server in one scenario. */
async function live(
  { serve, drive, place, ...limits }: PlacedCaller,
  { restarts }: CallerInputs,
  env: NodeJS.ProcessEnv,
): Promise<CallerEnd> {
  const over = overAfter(limits);
  const written: WrittenPiece[] = [];
  let [before, restart]: [string, CallerEnd['restart']] = ['', undefined];
  for (let isLast = !restarts; ; isLast = true) {
    const startedAt = performance.now();
    const server = await startGroup(serve, { env });
    const printed = collectOutput(server.child);
    try {
      const isReady = await becomesReady(server, place, over);
      if (isLast && restarts) restart = { at: startedAt, drivenAt: performance.now() };
      else if (!isReady && !limits.signal.aborted)
        throw new FileError(notReady(server, place, printed.output, limits));
      const driven = isReady ? await runGroup(drive, env, over) : { ...printed, child: server.child };
      const at = performance.now();
      const output = [before, printed.output, isReady ? driven.output : ''].join('');
      written.push(...printed.written, ...(isReady ? driven.written : []));
      if (over.aborted)
        return { kind: 'stopped', afterMs: limits.deadlineMs, output, stderr: printed.stderr };
      if (server.hasEnded())
        return endOf(server.child, { output, written, stderr: printed.stderr, at, restart });
      const stderr = driven.stderr === '' ? driven.output : driven.stderr;
      if (isLast)
        return { kind: 'driven', code: shellCode(driven.child), output, written, stderr, at, restart };
      before = output;
    } finally {
      await server.end(isLast ? GRACE_MS : 0);
    }
  }
}

const LOOK_EVERY_MS = 40;

/** Waits until a server is ready, and says whether it is: it may have ended, or take too long. */
async function becomesReady(server: ProcessGroup, place: string, over: AbortSignal): Promise<boolean> {
  while (!server.hasEnded() && !over.aborted) {
    if (await answersAt(place)) return true;
    await wait(LOOK_EVERY_MS);
  }
  return false;
}

/** What a gateway says while the service behind it starts, and a server that is not ready. */
const NOT_YET: ReadonlySet<number> = new Set([502, 503, 504]);

/** A listening socket is no server yet: a URL that does not answer in this time is asked again. */
const LONGEST_ANSWER_MS = 5000;

/** Whether a URL answers, or a port of this machine accepts a connection. */
async function answersAt(place: string): Promise<boolean> {
  try {
    if (/^\d+$/.test(place)) return await acceptsAt(Number(place));
    const answer = await fetch(place, { signal: AbortSignal.timeout(LONGEST_ANSWER_MS) });
    await answer.body?.cancel();
    return !NOT_YET.has(answer.status);
  } catch {
    return false;
  }
}

async function acceptsAt(port: number): Promise<boolean> {
  const socket = connect(port, 'localhost');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}

function alreadyAnswers(place: string): string {
  return `something answers at ${place} already: end it, let --serve listen on ${PORT}, or play with --concurrency 1`;
}

function notReady(
  { child, hasEnded }: ProcessGroup,
  place: string,
  output: string,
  { deadlineMs }: CallerLimits,
): string {
  const [line = ''] = maskedWords([lastLine(output)]);
  if (hasEnded()) return `--serve ended with code ${shellCode(child)} before it was ready${line}`;
  const where = /^\d+$/.test(place)
    ? `listen on port ${place} (${PORT}, or PORT in its environment)`
    : `answer at ${place}`;
  return `--serve did not ${where} within ${deadlineMs / 1000} s${line}`;
}
