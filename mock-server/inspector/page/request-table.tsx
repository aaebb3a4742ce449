import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownEntry } from '../../journal/shown-exchange.ts';
import {
  clockTime,
  debitText,
  durationText,
  isLostCharge,
  repeatName,
  type Repeats,
  statusOf,
} from './entry-text.ts';
import { Head } from './parts.tsx';
import { go } from './route.ts';

interface Props {
  /** Oldest first. */
  readonly found: readonly ShownEntry[];
  readonly repeats: Repeats;
  /** The ID of the chosen one. */
  readonly chosen: number;
}

/** Rows that are drawn at first, and further ones with each "Show older". */
const PORTION = 200;

const COLUMNS = {
  time: 'Time',
  request: 'Request',
  model: 'Model',
  key: 'Key',
  status: 'Status',
  took: 'Took',
  debit: 'Debit',
  order: 'Idempotency-Key',
  rules: 'Rules',
} as const;

/** The latest requests first. Tab reaches one row, from which the arrows go on. */
export function RequestTable({ found, repeats, chosen }: Props): ComponentChildren {
  const [most, setMost] = useState(PORTION);
  const rows = found.slice(-most).toReversed();
  const index = rows.findIndex(({ id }) => id === chosen);
  const walk = (event: KeyboardEvent): void => {
    const next = rows[nextRow(event.key, index, rows.length)];
    if (event.key === 'Escape') go({ request: undefined });
    if (next === undefined) return;
    event.preventDefault();
    choose(next.id, 'replaceState');
  };
  return (
    <div class="scroll">
      <table class="timeline">
        <Head columns={COLUMNS} />
        <tbody onKeyDown={walk}>
          {rows.map((entry, place) => {
            const states = { isChosen: place === index, isStop: place === Math.max(index, 0) };
            const group = repeats.get(repeatName(entry));
            return <Row key={entry.id} {...states} entry={entry} group={group} />;
          })}
        </tbody>
      </table>
      {found.length > most && <button onClick={() => setMost(most + PORTION)}>Show older</button>}
    </div>
  );
}

/** The focus goes to the row, from which the arrows go on. */
function choose(id: number, how?: 'replaceState'): void {
  go({ request: String(id) }, how);
  document.getElementById(`request-${id}`)?.focus();
}

/** The row that a key leads to; −1: it leads nowhere. */
function nextRow(key: string, index: number, count: number): number {
  if (key === 'ArrowDown') return Math.min(index + 1, count - 1);
  if (key === 'ArrowUp') return Math.max(index - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : -1;
}

interface RowProps {
  readonly entry: ShownEntry;
  /** The requests with its Idempotency-Key, if it was repeated. */
  readonly group: readonly ShownEntry[] | undefined;
  readonly isChosen: boolean;
  readonly isStop: boolean;
}

function Row({ entry, group, isChosen, isStop }: RowProps): ComponentChildren {
  const { id, realAt, method, path, sandbox, prompt, model, stream, key, code, ms } = entry;
  const { idempotencyKey, faults, answer } = entry;
  const { text, tone } = statusOf(entry);
  return (
    <tr class={isChosen ? 'row chosen' : 'row'} onClick={() => choose(id)}>
      <td class="time">{clockTime(realAt)}</td>
      <td class="request">
        {sandbox !== null && <b class="tag">{sandbox}</b>}{' '}
        <button id={`request-${id}`} class="plain" aria-pressed={isChosen} tabIndex={isStop ? 0 : -1}>
          <b>{method}</b> {path.replace(/^\/v1(?=\/)/, '')}
        </button>{' '}
        <small>{prompt}</small>
      </td>
      <td class="model">
        {model} {stream && <i class="tag">stream</i>}
      </td>
      <td class="key">{key}</td>
      <td class={`status ${tone}`}>
        {text} {isLostCharge(entry) && <b class="tag">charged</b>} <small class={tone}>{code}</small>
      </td>
      <td class="took">{durationText(ms)}</td>
      <td class="debit">{debitText(entry)}</td>
      <td class="order">
        {group !== undefined && <i class="tag">{`${group.indexOf(entry) + 1}/${group.length}`}</i>}{' '}
        {idempotencyKey}
      </td>
      <td class="rules">
        {answer !== null && <i class="tag">{answer}</i>}{' '}
        {faults.map(({ rule, fault, phase }) => (
          <i key={phase} class="tag warn" title={`${fault} at ${phase}`}>
            {rule} {fault}
          </i>
        ))}
      </td>
    </tr>
  );
}
