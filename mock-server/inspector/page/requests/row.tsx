import type { ComponentChildren } from 'preact';
import type { JournalEntry } from '../../../journal/journal.ts';
import { moneyOf } from '../state/wire.ts';
import { repeatName } from './filter.ts';
import { clockTime, durationText, shortPath, statusOf } from './words.ts';

interface Props {
  readonly entry: JournalEntry;
  readonly index: number;
  /** In pixels. */
  readonly top: number;
  readonly repeats: ReadonlyMap<string, readonly JournalEntry[]>;
  readonly isChosen: boolean;
  /** It has the Idempotency-Key of the chosen one. */
  readonly isTied: boolean;
  readonly choose: (id: number) => void;
}

export function Row({ entry, index, top, repeats, isChosen, isTied, choose }: Props): ComponentChildren {
  const { id, realAt, method, path, sandbox, model, stream, key, ms } = entry;
  const status = statusOf(entry);
  return (
    <div
      id={`request-${id}`}
      class={`row ${status.tone}${isTied ? ' tied' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => choose(id)}
    >
      <Cell name="time">{clockTime(realAt)}</Cell>
      <Cell name="request">
        {sandbox !== null && <b class="sandbox">{sandbox}</b>} <b class="method">{method}</b>{' '}
        {shortPath(path)}
      </Cell>
      <Cell name="model">
        {model}
        {stream && <i class="tag">stream</i>}
      </Cell>
      <Cell name="key">{key}</Cell>
      <Cell name="status">{status.text}</Cell>
      <Cell name="ms">{durationText(ms)}</Cell>
      <Cell name="debit">{debitText(entry)}</Cell>
      <Cell name="order">
        <Repeat entry={entry} repeats={repeats} />
      </Cell>
      <Cell name="faults">
        {entry.faults.map(({ fault, phase }) => (
          <i key={phase} class="tag fault" title={`${fault} at ${phase}`}>
            {fault} <small>{phase}</small>
          </i>
        ))}
      </Cell>
    </div>
  );
}

function Cell({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): ComponentChildren {
  return (
    <span class={name} role="gridcell">
      {children}
    </span>
  );
}

function Repeat({ entry, repeats }: Pick<Props, 'entry' | 'repeats'>): ComponentChildren {
  const group = repeats.get(repeatName(entry));
  if (entry.idempotencyKey === null) return null;
  return (
    <>
      {group !== undefined && (
        <i class="tag repeat">
          {group.indexOf(entry) + 1}/{group.length}
        </i>
      )}{' '}
      {entry.idempotencyKey}
    </>
  );
}

function debitText(entry: JournalEntry): string {
  const money = moneyOf(entry);
  if (money === undefined) return '';
  if (money.state === 'under_review') return 'review';
  if (money.state === 'running') return `(${money.reserved})`;
  return money.debit === null ? 'released' : `−${money.debit}`;
}
