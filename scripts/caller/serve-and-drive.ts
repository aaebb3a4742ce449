import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { maskedWords } from '../../fixtures/credentials/secret-names.ts';
import type { CallerEnd, WrittenPiece } from '../../suites/caller/timeline.ts';
import { FileError } from '../../suites/engine/text/read-json-file.ts';
import { lastLine } from './caller-summary.ts';
import { freePort, PORT, type ProcessGroup, shellCode, startGroup } from './process-group.ts';
import {
  callerEnvironment,
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
    const { serve, drive, ready = PORT } = caller;
    const [line = '', driving = '', place = ''] = [serve, drive, ready].map((text) =>
      text.replaceAll(PORT, port),
    );
    if (await answersAt(place)) throw new FileError(`${place} is already in use: ${NOT_ALONE}`);
    const env = { ...callerEnvironment(inputs, caller.names), PORT: port };
    const over = overAfter(caller);
    const written: WrittenPiece[] = [];
    let [before, restart]: [string, CallerEnd['restart']] = ['', undefined];
    for (let isLast = !inputs.restarts; ; isLast = true) {
      const at = performance.now();
      const server = await startGroup(line, { env });
      const { printed } = server;
      try {
        const isReady = await becomesReady(server, place, over);
        if (isLast && inputs.restarts) restart = { at, drivenAt: performance.now() };
        else if (!isReady && !caller.signal.aborted) throw notReady(server, place, caller.deadlineMs);
        const driven = isReady ? await runGroup(driving, env, over) : { output: '', stderr: '', written: [] };
        const output = [before, printed.output, driven.output].join('');
        written.push(...printed.written, ...driven.written);
        if (over.aborted) return { kind: 'stopped', afterMs: caller.deadlineMs, output, written, restart };
        if (server.hasEnded())
          return endOf(server.child, { output, written, stderr: printed.stderr, restart });
        before = output;
        const stderr = driven.stderr || driven.output;
        const code = 'child' in driven ? shellCode(driven.child) : 0;
        if (isLast) return { kind: 'driven', code, output, written, stderr, at: performance.now(), restart };
      } finally {
        await server.end(isLast ? GRACE_MS : 0);
      }
      // What was killed may answer for another moment.
      while (!over.aborted && (await answersAt(place))) await wait(LOOK_EVERY_MS);
    }
  };
}

const NOT_ALONE = `stop that process, let --serve listen on ${PORT}, or use --concurrency 1`;

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
    if (/^\d+$/.test(place)) {
      const socket = connect(Number(place), 'localhost');
      await once(socket, 'connect');
      socket.destroy();
      return true;
    }
    const answer = await fetch(place, { signal: AbortSignal.timeout(LONGEST_ANSWER_MS) });
    await answer.body?.cancel();
    return !NOT_YET.has(answer.status);
  } catch {
    return false;
  }
}

function notReady({ child, printed, hasEnded }: ProcessGroup, place: string, deadlineMs: number) {
  const [line = ''] = maskedWords([lastLine(printed.output)]);
  return new FileError(
    hasEnded()
      ? `--serve ended with code ${shellCode(child)} before it was ready${line}`
      : `--serve did not answer at ${place} within ${deadlineMs / 1000} s: does it listen on ${PORT} or PORT?${line}`,
  );
}
