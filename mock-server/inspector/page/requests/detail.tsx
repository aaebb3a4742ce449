import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { JournalEntry } from '../../../journal/journal.ts';
import type { ShownExchange } from '../../../journal/shown-exchange.ts';
import { Tabs } from '../parts/tabs.tsx';
import { controlOf } from '../state/control-api.ts';
import { useControl } from '../state/hooks.ts';
import { CopyBar } from './copy-bar.tsx';
import { repeatName } from './filter.ts';
import { Message } from './message.tsx';
import { Overview } from './overview.tsx';
import { durationText, statusOf } from './words.ts';

interface Props {
  readonly entry: JournalEntry;
  readonly repeats: ReadonlyMap<string, readonly JournalEntry[]>;
  readonly choose: (id: number) => void;
  readonly close: () => void;
}

const PARTS = [
  { name: 'overview', title: 'Overview' },
  { name: 'request', title: 'Request' },
  { name: 'response', title: 'Response' },
] as const;

type PartName = (typeof PARTS)[number]['name'];

/** One request with all that is known of it. */
export function Detail({ entry, repeats, choose, close }: Props): ComponentChildren {
  const [part, setPart] = useState<PartName>('overview');
  const path = `${controlOf(entry.sandbox)}/journal/${entry.n}`;
  // Read again when it has ended, and when its money has changed.
  const { answer, problem } = useControl<ShownExchange>(
    path,
    `${entry.ended} ${entry.ledger.length} ${entry.status}`,
  );
  const status = statusOf(entry);
  return (
    <aside
      class="detail"
      aria-label="The chosen request"
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <div class="title">
        <h2>
          <b class={`status ${status.tone}`}>{status.text}</b> {entry.method} {entry.path}
        </h2>
        <span>{durationText(entry.ms)}</span>
        <button class="plain close" aria-label="Close" onClick={close}>
          ×
        </button>
      </div>
      <Tabs label="Parts of the request" tabs={PARTS} chosen={part} choose={setPart} panel="part" />
      {problem !== undefined && <p role="alert">{problem}</p>}
      <div id="part" role="tabpanel" aria-labelledby={`tab-${part}`} class="part" tabIndex={0}>
        {answer !== undefined && part === 'overview' && (
          <Overview exchange={answer} group={repeats.get(repeatName(entry)) ?? []} choose={choose} />
        )}
        {answer !== undefined && part === 'request' && (
          <Message start={`${entry.method} ${answer.request?.url ?? entry.path}`} message={answer.request} />
        )}
        {answer !== undefined && part === 'response' && (
          <Message start={`${answer.response?.status ?? 'No answer was made'}`} message={answer.response} />
        )}
      </div>
      {answer !== undefined && <CopyBar exchange={answer} />}
    </aside>
  );
}
