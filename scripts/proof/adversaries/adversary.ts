import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { ProofRun } from '../prove-world.ts';

/** Answers one request whose body has come, or does not. */
export type Answering = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Something that listens where a service should, and is none. */
export interface Adversary {
  /** What it does. */
  readonly story: string;
  /** In what a run against it may end. */
  readonly ends: readonly ProofRun['outcome'][];
  /** The clauses that it does keep, as far as anyone can tell; to say so of another one is a false pass. */
  readonly keeps: readonly ClauseId[];
  readonly answers: Answering;
}
