import type { ComponentChildren } from 'preact';
import type { JournalEntry } from '../../../journal/journal.ts';
import type { ShownExchange } from '../../../journal/shown-exchange.ts';
import { ResolveButtons } from '../parts/resolve-buttons.tsx';
import { moneyOf } from '../state/wire.ts';
import { requestEvents, moneyText } from './request-events.ts';
import { clockTime, statusOf } from './words.ts';

interface Props {
  readonly exchange: ShownExchange;
  /** The requests with its Idempotency-Key, if it was repeated. */
  readonly group: readonly JournalEntry[];
  readonly choose: (id: number) => void;
}

/** What became of a request, and of its money. */
export function Overview({ exchange, group, choose }: Props): ComponentChildren {
  const { entry } = exchange;
  return (
    <>
      <Facts entry={entry} />
      <h3>Money</h3>
      <Money entry={entry} />
      {group.length > 1 && <Repeats entry={entry} group={group} choose={choose} />}
      <h3>Course</h3>
      <ol class="course">
        {requestEvents(exchange).map(({ ms, kind, what }, index) => (
          <li key={index} class={kind}>
            <span class="ms">{ms === null ? '' : `${ms.toFixed(2)} ms`}</span> {what}
          </li>
        ))}
      </ol>
    </>
  );
}

function Facts({ entry }: { readonly entry: JournalEntry }): ComponentChildren {
  const facts: readonly (readonly [name: string, value: string | null])[] = [
    ['Request ID', entry.requestId],
    ['Idempotency-Key', entry.idempotencyKey],
    ['Key', entry.key],
    ['Model', entry.model && `${entry.model}${entry.stream ? ', streamed' : ''}`],
    ['Answer', entry.answer && `chosen by the rule ${entry.answer}`],
    ['Arrived', `${clockTime(entry.realAt)}, in the world ${new Date(entry.at).toISOString()}`],
    ['Sandbox', entry.sandbox],
    ['Written', `${entry.bytesWritten.toLocaleString('en')} bytes`],
  ];
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Money({ entry }: { readonly entry: JournalEntry }): ComponentChildren {
  const money = moneyOf(entry);
  if (money === undefined) return <p class="quiet">Nothing was reserved for it.</p>;
  return (
    <p>
      {moneyText(money)}{' '}
      {money.state === 'under_review' && <ResolveButtons world={entry.sandbox} requestId={entry.requestId} />}
    </p>
  );
}

function Repeats({
  entry,
  group,
  choose,
}: Pick<Props, 'group' | 'choose'> & { readonly entry: JournalEntry }): ComponentChildren {
  return (
    <>
      <h3>Requests with this Idempotency-Key</h3>
      <ol class="repeats">
        {group.map((each) => (
          <li key={each.id}>
            <button aria-current={each.id === entry.id} onClick={() => choose(each.id)}>
              {clockTime(each.realAt)} <b class={`status ${statusOf(each).tone}`}>{statusOf(each).text}</b>{' '}
              {roleOf(each)}
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

/** What a request with a key that was seen before was to the service. */
function roleOf(entry: JournalEntry): string {
  const money = moneyOf(entry);
  if (money !== undefined) return moneyText(money);
  return entry.status === 200 ? 'replayed: the stored answer, without a debit' : 'nothing reserved';
}
