import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Sandbox } from '../sandboxes/sandboxes.ts';
import { type LedgerEntry, RESERVATION_OF } from '../workspace/ledger.ts';
import { ControlError } from './guard.ts';
import { operation } from './operation.ts';

/** What became of a request, and of its credits. */
function describeEntry(entry: LedgerEntry) {
  const { requestId, idempotencyKey, workspace, state, reserved, debit, work } = entry;
  return {
    requestId,
    idempotencyKey,
    workspace,
    state,
    reservation: { credits: reserved, state: RESERVATION_OF[state] },
    debit,
    usage: work === null ? null : { input: work.inputTokens, output: work.outputTokens },
    finishReason: work?.finishReason ?? null,
  };
}

/**
 * A request by its ID, or the latest one with this Idempotency-Key. A request without a reservation is found as long as
 * the journal remembers it. Throws a ControlError if neither ledger nor journal knows it.
 */
function known({ service: { ledger }, journal }: Sandbox, reference: string) {
  const entry =
    ledger.find(reference) ?? ledger.entries().findLast(({ idempotencyKey }) => idempotencyKey === reference);
  if (entry !== undefined) return describeEntry(entry);
  const came = journal
    ?.entries()
    .findLast(({ requestId, idempotencyKey }) => requestId === reference || idempotencyKey === reference);
  if (came === undefined)
    throw new ControlError(404, 'unknown_request', 'No remembered request has this ID or Idempotency-Key');
  const { requestId, idempotencyKey } = came;
  const nothing = { workspace: null, reservation: null, debit: null, usage: null, finishReason: null };
  return { requestId, idempotencyKey, state: 'unreserved', ...nothing };
}

export type WorkspaceAnswer = ReturnType<typeof describeWorkspace>;

/** The credits by the names of the keys, of which several may share a workspace, and a sentence for each broken rule. */
function describeWorkspace({ service: { ledger, world } }: Sandbox) {
  const keys = world.keys.map(({ name, workspace }) => [name, ledger.account(workspace)] as const);
  return { keys: Object.fromEntries(keys), invariants: ledger.invariants() };
}

export const WORKSPACE_OPERATIONS = [
  operation('GET', '/requests', {
    name: 'listRequests',
    summary: 'Lists every remembered request that reserved credits',
    query: z
      .strictObject({
        state: z.enum(['running', 'succeeded', 'failed', 'under_review']),
        idempotencyKey: z.string(),
        workspace: z.string(),
      })
      .partial(),
    run({ sandbox: { service }, query }) {
      const asked = service.ledger
        .entries()
        .filter((entry) => isDeepStrictEqual(entry, { ...entry, ...query }));
      return { requests: asked.map(describeEntry) };
    },
  }),
  operation('GET', '/requests/{request}', {
    name: 'readRequest',
    summary:
      'Returns the state, reservation and debit of a request, by its ID or Idempotency-Key (the latest one); its state is unreserved if nothing was reserved for it',
    run: ({ sandbox, named }) => known(sandbox, named),
  }),
  operation('POST', '/requests/{request}/resolution', {
    name: 'resolveRequest',
    summary:
      'Resolves a request under review: completed debits its completion, failed releases its reservation',
    body: z.strictObject({ outcome: z.enum(['completed', 'failed']) }),
    run({ sandbox, named, body: { outcome } }) {
      const { requestId, state } = known(sandbox, named);
      if (state === 'under_review' && sandbox.service.ledger.resolve(requestId, outcome) !== undefined)
        return known(sandbox, requestId);
      const problem = `The request is ${state}: only a request under review can be resolved`;
      throw new ControlError(409, 'not_under_review', problem);
    },
  }),
  operation('GET', '/workspace', {
    name: 'readWorkspace',
    summary: 'Returns the credits of each key, and the broken rules of credits',
    run: ({ sandbox }) => describeWorkspace(sandbox),
  }),
];
