import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ResolveButtons } from '../parts/resolve-buttons.tsx';
import { controlOf } from '../state/control-api.ts';
import { useControl } from '../state/hooks.ts';
import type { LedgerRequest, WorkspaceAnswer, WorldId } from '../state/wire.ts';

export interface WorldProps {
  readonly world: WorldId;
  /** Another number whenever something may have changed. */
  readonly changes: number;
}

/** Enough to look at; the rest is in the timeline. */
const MOST = 200;

/** The credits of a world, and what holds them. */
export function WorkspaceView({ world, changes }: WorldProps): ComponentChildren {
  const path = controlOf(world);
  const { answer, problem } = useControl<WorkspaceAnswer>(`${path}/workspace`, changes);
  const review = useControl<Requests>(`${path}/requests?state=under_review`, changes).answer?.requests ?? [];
  return (
    <div class="page">
      {problem !== undefined && <p role="alert">{problem}</p>}
      {answer !== undefined && <Accounts answer={answer} />}
      <h2>Under review</h2>
      {review.length === 0 ? (
        <p class="quiet">No request. One whose answer was lost between reservation and debit comes here.</p>
      ) : (
        <Table requests={review} world={world} />
      )}
      <Ledger path={path} world={world} changes={changes} />
    </div>
  );
}

interface Requests {
  readonly requests: readonly LedgerRequest[];
}

/** Keys of one workspace share its credits. */
function Accounts({ answer: { keys, invariants } }: { readonly answer: WorkspaceAnswer }): ComponentChildren {
  const byWorkspace = Map.groupBy(Object.entries(keys), ([, { workspace }]) => workspace);
  return (
    <>
      <div class="cards">
        {[...byWorkspace].map(([workspace, entries]) => {
          const [[, account] = ['', undefined]] = entries;
          if (account === undefined) return null;
          const { available, held, debited, granted } = account;
          return (
            <section key={workspace} class="card" aria-label={`Workspace ${workspace}`}>
              <h2>{workspace}</h2>
              <p class="quiet">{entries.map(([key]) => key).join(', ')}</p>
              <p class="amount">
                {(granted - debited).toLocaleString('en')} <small>balance</small>
              </p>
              <dl>
                <Amount name="available" credits={available} />
                <Amount name="held" credits={held} />
                <Amount name="debited" credits={debited} />
                <Amount name="granted" credits={granted} />
              </dl>
            </section>
          );
        })}
      </div>
      {invariants.length > 0 && (
        <ul role="alert">
          {invariants.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Amount({ name, credits }: { readonly name: string; readonly credits: number }): ComponentChildren {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{credits.toLocaleString('en')}</dd>
    </div>
  );
}

function Ledger({ path, world, changes }: WorldProps & { readonly path: string }): ComponentChildren {
  const [isOpen, setIsOpen] = useState(false);
  const { answer } = useControl<Requests>(isOpen ? `${path}/requests` : undefined, changes);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Every request that reserved credits</summary>
      {answer !== undefined && <Table requests={answer.requests.slice(-MOST).toReversed()} world={world} />}
    </details>
  );
}

function Table({ requests, world }: Requests & { readonly world: WorldId }): ComponentChildren {
  return (
    <div class="scroll" role="region" aria-label="Requests of the ledger" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Idempotency-Key</th>
            <th scope="col">Request</th>
            <th scope="col" class="number">
              Reserved
            </th>
            <th scope="col" class="number">
              Debit
            </th>
            <th scope="col">Tokens</th>
          </tr>
        </thead>
        <tbody>
          {requests.map((request) => (
            <Row key={request.requestId} request={request} world={world} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly request: Requests['requests'][number];
  readonly world: WorldId;
}

function Row({ request, world }: RowProps): ComponentChildren {
  const { requestId, idempotencyKey, state, reservation, debit, usage } = request;
  return (
    <tr>
      <td>
        {state.replace('_', ' ')}{' '}
        {state === 'under_review' && <ResolveButtons world={world} requestId={requestId} />}
      </td>
      <td class="code">{idempotencyKey}</td>
      <td class="code">{requestId}</td>
      <td class="number" data-name="reserved">
        {reservation?.credits}
      </td>
      <td class="number" data-name="debit">
        {debit}
      </td>
      <td>{usage && `${usage.input} in, ${usage.output} out`}</td>
    </tr>
  );
}
