import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Level } from '../../../fixtures/clauses/clauses.ts';
import { isLost } from '../journal/codecs.ts';
import { runEntry, targetInfoEntry } from '../journal/entries.ts';
import {
  type Draft,
  type Credential,
  type Exchange,
  KEY_VARIABLES,
  type SentRequest,
} from '../model/exchange.ts';
import { type Ruling, asError } from '../model/ruling.ts';
import type { Keys, RunOptions } from '../model/run.ts';
import type { Profile, TargetInfo } from '../model/target.ts';
import { isSameFailure } from '../running/find-simplest.ts';
import { askedOutput } from '../sending/sent-request.ts';
import { Wire } from '../sending/wire.ts';
import { verdictOf } from '../summary/check-verdict.ts';
import { Tally } from '../summary/tally.ts';

/** A recorded failure cannot be sent again; the message is one line that says why. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}

/** `unknown`: an answer is missing, or does not exercise the clause. */
export type ReplayOutcome = 'still fails' | 'fixed' | 'fails differently' | 'unknown';

/** What became of a failure when its requests were sent again. */
export interface Replay {
  readonly outcome: ReplayOutcome;
  readonly before: Ruling;
  readonly now: Ruling | Error;
  /** Sent now, in the order in which they ended. Their bodies can be read while `tell` runs. */
  readonly exchanges: readonly Exchange[];
}

/** A failure that can be sent again: nothing has been sent yet. */
export interface PreparedReplay {
  /** Sent in the recorded run. */
  readonly exchanges: readonly Exchange[];
  /** Returns what `tell` says of the replay. */
  readonly send: <T>(options: RunOptions, tell: (replay: Replay) => T) => Promise<T>;
}

export function replayOutcome(
  before: Ruling,
  now: Ruling | Error,
  { level, profile }: { readonly level: Level; readonly profile: Profile },
): ReplayOutcome {
  if (now instanceof Error) return 'unknown';
  if (fails(now, level, profile)) return failsAlike(before, now) ? 'still fails' : 'fails differently';
  return now.kind === 'holds' || now.kind === 'observed' ? 'fixed' : 'unknown';
}

/** Whether a single trial with this ruling would fail its check, or make it warn. */
export function fails(ruling: Ruling, level: Level, profile: Profile): boolean {
  const tally = new Tally();
  tally.add(ruling, { exchanges: [] });
  const { verdict } = verdictOf(tally, level, profile);
  return verdict === 'fail' || verdict === 'warn';
}

/** Whether two rulings that fail do so in the same way. */
export function failsAlike(one: Ruling, other: Ruling): boolean {
  if (one.kind === 'violated' && other.kind === 'violated') return isSameFailure(one.finding, other.finding);
  // Two observations differ from a pin in the same way when they are equal.
  return one.kind === 'observed' && JSON.stringify(one) === JSON.stringify(other);
}

/** @throws {ReplayError} Given a request that was sent with a key that is missing now. */
export function requireKeys(exchanges: readonly Exchange[], keys: Keys): void {
  for (const { request } of exchanges) {
    const { credential } = request;
    if (credential.kind === 'key' && keys[credential.name] === undefined)
      throw new ReplayError(`it needs the ${credential.name} key (set ${KEY_VARIABLES[credential.name]})`);
  }
}

/** Opens a wire that writes a journal like that of any run, and closes it. */
export async function withWire<T>(
  options: RunOptions,
  info: TargetInfo,
  send: (wire: Wire) => Promise<T>,
): Promise<T> {
  const { journal } = options;
  const startedAt = new Date();
  const wire = new Wire(options);
  const finish = (cutShort: readonly string[]): void =>
    journal?.append({ type: 'finished', durationMs: Date.now() - startedAt.getTime(), cutShort });
  try {
    journal?.append(runEntry(options, startedAt.toISOString()));
    journal?.append(targetInfoEntry(info));
    const result = await send(wire);
    finish([]);
    return result;
  } catch (error) {
    finish([asError(error).message]);
    throw error;
  } finally {
    await wire.close();
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Exactly the bytes of a recorded request; `draft` adds what is not recorded, such as keys. */
export function recordedDraft(request: SentRequest, draft: Partial<Draft> = {}): Draft {
  const { [HEADERS.idempotencyKey]: key, ...headers } = request.headers;
  const method = METHODS.find((known) => known === request.method);
  if (method === undefined) throw new ReplayError(`the suites send no ${request.method} request`);
  return {
    idempotencyKey: key === undefined ? 'none' : 'fresh',
    ...draft,
    method,
    path: request.path,
    headers,
    ...(request.body !== undefined && { body: request.body }),
    credential: credentialOf(request.credential, draft.credential),
    needsOutput: Math.max(askedOutput(request.body), draft.needsOutput ?? 0),
  };
}

/** A header made from a changed key is not recorded: the input of the draw makes it again. */
function credentialOf(recorded: Credential, drawn: Credential | undefined): Credential {
  if (recorded.kind !== 'forged' || !isLost(recorded)) return recorded;
  if (drawn?.kind === 'forged' && drawn.label === recorded.label) return drawn;
  throw new ReplayError(`it was sent with ${recorded.label}, which is not recorded`);
}
