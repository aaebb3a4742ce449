import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Sandbox } from '../sandboxes/sandboxes.ts';
import { account, ledgerChange, requestState, reservationState } from '../workspace/ledger-schema.ts';
import { type LedgerEntry, RESERVATION_OF } from '../workspace/ledger.ts';
import { ControlError } from './guard.ts';
import { operation } from './operation.ts';

/** What became of a request, and of its credits. */
const requestAnswer = z.strictObject({
  requestId: z.string(),
  idempotencyKey: z.string().nullable(),
  workspace: z.string().nullable(),
  state: z
    .enum([...requestState.options, 'unreserved'])
    .describe('unreserved: the request arrived, and nothing was reserved for it'),
  reservation: z.strictObject({ credits: z.int(), state: reservationState }).nullable(),
  debit: z.int().nullable().describe('Credits; null: no debit'),
  usage: z
    .strictObject({ input: z.int(), output: z.int() })
    .nullable()
    .describe('What the debit is for, in tokens'),
  finishReason: z.string().nullable().describe('Of the completion that was debited'),
});

type RequestAnswer = z.input<typeof requestAnswer>;

function describeEntry(entry: LedgerEntry): RequestAnswer {
  const { requestId, idempotencyKey, workspace, state, reserved, debit, work } = entry;
  const reservation = { credits: reserved, state: RESERVATION_OF[state] };
  const usage = work === null ? null : { input: work.inputTokens, output: work.outputTokens };
  const finishReason = work?.finishReason ?? null;
  return { requestId, idempotencyKey, workspace, state, reservation, debit, usage, finishReason };
}

/**
 * A request by its ID, or the latest one with this Idempotency-Key. A request without a reservation is found as long as
 * the journal remembers it. Throws a ControlError if neither ledger nor journal knows it.
 */
function known({ service: { ledger }, journal }: Sandbox, reference: string): RequestAnswer {
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

const workspaceAnswer = z.strictObject({
  keys: z
    .record(z.string(), account)
    .describe('By the name of the key; keys of one workspace share its credits'),
  invariants: z.array(z.string()).describe('A sentence for each broken rule'),
});

export type WorkspaceAnswer = z.output<typeof workspaceAnswer>;

export const WORKSPACE_OPERATIONS = [
  operation('GET', '/requests', {
    name: 'listRequests',
    summary: 'Lists every remembered request that reserved credits',
    query: z
      .strictObject({ state: requestState, idempotencyKey: z.string(), workspace: z.string() })
      .partial(),
    answer: z.strictObject({ requests: z.array(requestAnswer) }),
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
      'Returns the state, reservation and debit of a request, by its ID or Idempotency-Key (the latest one)',
    answer: requestAnswer,
    run: ({ sandbox, named }) => known(sandbox, named),
  }),
  operation('POST', '/requests/{request}/resolution', {
    name: 'resolveRequest',
    summary:
      'Resolves a request under review: completed debits its completion, failed releases its reservation',
    body: z.strictObject({ outcome: z.enum(['completed', 'failed']) }),
    answer: requestAnswer,
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
    answer: workspaceAnswer,
    run({ sandbox: { service } }) {
      const { ledger, world } = service;
      const keys = world.keys.map(({ name, workspace }) => [name, ledger.account(workspace)]);
      return { keys: Object.fromEntries(keys), invariants: ledger.invariants() };
    },
  }),
  operation('GET', '/history', {
    name: 'readHistory',
    summary: 'Lists the changes of all remembered requests, or of one, in order',
    query: z.strictObject({ requestId: z.string().exactOptional() }),
    answer: z.strictObject({ changes: z.array(ledgerChange) }),
    run: ({ sandbox, query: { requestId } }) => ({ changes: sandbox.service.ledger.history(requestId) }),
  }),
];
