import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownEntry } from '../../journal/shown-exchange.ts';
import { controlOf, useControl, type WorldId } from './control-api.ts';
import { worldName } from './parts.tsx';
import { hrefOf } from './route.ts';

/** A check of a report of the judge. */
interface Judged {
  readonly id: string;
  readonly clauses: readonly string[];
  readonly title: string;
  readonly verdict: string;
  readonly reason: string;
  /** What usually mends it. */
  readonly hint?: string;
  readonly evidence: readonly { readonly timeline?: readonly string[] }[];
}

interface JudgeAnswer {
  readonly outcome: string;
  readonly cutShort: readonly string[];
  readonly checks: readonly Judged[];
  /** Of the requests that the report calls #1, #2, … */
  readonly requestIds: readonly string[];
}

/** Verdicts in the order in which they are shown, and their colours. */
const TONES: Readonly<Record<string, string>> = {
  fail: 'bad',
  error: 'bad',
  warn: 'warn',
  inconclusive: 'warn',
  pass: 'good',
  violations: 'bad',
  incomplete: 'warn',
  conformant: 'good',
};

/** What is not in the table comes last. */
function rankOf({ verdict }: Judged): number {
  return [...Object.keys(TONES), verdict].indexOf(verdict);
}

interface Props {
  readonly world: WorldId;
  readonly entries: readonly ShownEntry[];
}

/** The verdicts on the callers of a world. Asked for on opening and by a button: the judge reads every request. */
export function JudgeView({ world, entries }: Props): ComponentChildren {
  const [asked, ask] = useState(0);
  const { answer, problem } = useControl<JudgeAnswer>(`${controlOf(world)}/judge`, asked);
  if (problem !== undefined)
    return (
      <p class="quiet">
        {problem} Only a mock with <code>--judge</code> judges its callers.
      </p>
    );
  const checks = answer?.checks.toSorted((one, other) => rankOf(one) - rankOf(other)) ?? [];
  return (
    <>
      <h2>
        {worldName(world)}, callers: <b class={TONES[answer?.outcome ?? ''] ?? 'idle'}>{answer?.outcome}</b>
      </h2>
      <p class="warn">{answer?.cutShort.join(' ')}</p>
      <button onClick={() => ask(asked + 1)}>Judge again</button>
      <dl>
        {checks.map((check) => (
          <CheckResult key={check.id} {...{ check, world, entries }} requestIds={answer?.requestIds ?? []} />
        ))}
      </dl>
    </>
  );
}

interface CheckProps extends Props {
  readonly check: Judged;
  readonly requestIds: readonly string[];
}

function CheckResult({ check, world, entries, requestIds }: CheckProps): ComponentChildren {
  const { clauses, title, verdict, reason, hint, evidence } = check;
  const linked = (text: string): ComponentChildren =>
    text.split(/(#\d+)/).map((part) => {
      const requestId = part.startsWith('#') && requestIds[Number(part.slice(1)) - 1];
      const entry = entries.find((each) => each.sandbox === world && each.requestId === requestId);
      if (entry === undefined) return part;
      const shown = { view: 'requests', filter: undefined, request: String(entry.id) } as const;
      return <a href={hrefOf({ ...shown, world: world ?? '' })}>{part}</a>;
    });
  return (
    <div>
      <dt class={TONES[verdict] ?? 'idle'}>{verdict}</dt>
      <dd>
        {title} <small>{clauses.join(', ')}</small>
        <p class="quiet">{linked(reason)}</p>
        {hint !== undefined && <p>Remedy: {hint.replaceAll('`', '')}</p>}
        {evidence.map(({ timeline = [] }, index) => (
          <pre key={index}>{linked(timeline.slice(1).join('\n'))}</pre>
        ))}
      </dd>
    </div>
  );
}
