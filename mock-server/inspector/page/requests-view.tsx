import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { harOf } from '../../journal/har.ts';
import type { ShownEntry, ShownExchange } from '../../journal/shown-exchange.ts';
import { control, controlOf, type WorldId } from './control-api.ts';
import {
  clockTime,
  debitText,
  durationText,
  isLostCharge,
  repeatName,
  type Repeats,
  repeatsIn,
  statusOf,
} from './entry-text.ts';
import { FILTER_NAMES, filtered } from './filter.ts';
import { Action, baseOf, Head, worldName } from './parts.tsx';
import { RequestDetail } from './request-detail.tsx';
import { go, type Route } from './route.ts';

interface Props {
  /** Oldest first. */
  readonly entries: readonly ShownEntry[];
  /** Undefined: all worlds. */
  readonly world: WorldId | undefined;
  readonly route: Route;
}

/** The requests that the reader wants to see, and the chosen one. */
export function RequestsView({ entries, world, route }: Props): ComponentChildren {
  const { filter = '' } = route;
  const chosen = Number(route.request);
  const ofWorld = useMemo(
    () => entries.filter(({ sandbox }) => world === undefined || sandbox === world),
    [entries, world],
  );
  const repeats = useMemo(() => repeatsIn(ofWorld), [ofWorld]);
  const found = useMemo(() => filtered(ofWorld, filter, repeats), [ofWorld, repeats, filter]);
  const entry = ofWorld.find(({ id }) => id === chosen);
  return (
    <div class={entry === undefined ? 'requests' : 'requests split'}>
      <div class="list">
        <div class="bar">
          <FilterInput filter={filter} />
          <span>{`${found.length} of ${ofWorld.length}`}</span>
          <Action title="Save HAR" run={() => saveHar(found)} />
        </div>
        {ofWorld.length === 0 && (
          <p class="quiet bar">
            No request yet{world !== undefined && ` in ${worldName(world)}`}. Point a client at{' '}
            <code>{`${baseOf(world ?? null)}/v1`}</code> and it appears here.
          </p>
        )}
        {ofWorld.length > 0 && found.length === 0 && (
          <p class="quiet bar">
            Nothing matches. {KNOWN}
            <button onClick={() => go({ filter: undefined })}>Show all</button>
          </p>
        )}
        <RequestTable {...{ found, repeats, chosen }} />
      </div>
      {entry !== undefined && (
        <RequestDetail key={entry.id} entry={entry} times={repeats.get(repeatName(entry))?.length ?? 1} />
      )}
    </div>
  );
}

function FilterInput({ filter }: { readonly filter: string }): ComponentChildren {
  return (
    <input
      type="search"
      aria-label="Filter"
      title={KNOWN}
      placeholder="Filter: weather code:rate_limit is:charged"
      value={filter}
      onInput={({ currentTarget: { value } }) => go({ filter: value || undefined }, 'replaceState')}
    />
  );
}

const KNOWN = `Words that occur, or NAME:VALUE with ${FILTER_NAMES.join(', ')}.`;

/** Put in place when the page is bundled. */
declare const RELEASE: string;

/** One after another, thousands take a minute; all at once, the browser gives up on some. */
const AT_ONCE = 100;

function exchangeOf({ sandbox, n }: ShownEntry): Promise<ShownExchange> {
  return control('GET', `${controlOf(sandbox)}/journal/${n}`);
}

/** Saves requests with what came back as HAR 1.2, for the developer tools of a browser. */
async function saveHar(entries: readonly ShownEntry[]): Promise<string> {
  const exchanges: ShownExchange[] = [];
  // Bytes that are no request have no place in a HAR.
  const saved = entries.filter(({ path }) => path.startsWith('/'));
  for (let from = 0; from < saved.length; from += AT_ONCE)
    exchanges.push(...(await Promise.all(saved.slice(from, from + AT_ONCE).map(exchangeOf))));
  const text = JSON.stringify(harOf(exchanges, baseOf, RELEASE));
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href, download: 'requests.har' }).click();
  setTimeout(() => URL.revokeObjectURL(href));
  return 'Saved requests.har';
}

interface TableProps {
  /** Oldest first. */
  readonly found: readonly ShownEntry[];
  readonly repeats: Repeats;
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
function RequestTable({ found, repeats, chosen }: TableProps): ComponentChildren {
  const [most, setMost] = useState(PORTION);
  const rows = found.slice(-most).toReversed();
  const index = rows.findIndex(({ id }) => id === chosen);
  const walk = (event: KeyboardEvent): void => {
    const places = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 };
    const next = rows[new Map(Object.entries(places)).get(event.key) ?? -1];
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
