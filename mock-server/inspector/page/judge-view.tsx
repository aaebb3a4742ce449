import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { controlOf, useControl, type WorldId } from './control-api.ts';
import { worldName } from './parts.tsx';

/** Of a report of the judge. */
interface JudgeAnswer {
  readonly outcome: string;
  readonly checks: readonly {
    readonly id: string;
    readonly clauses: readonly string[];
    readonly title: string;
    readonly verdict: string;
    readonly reason: string;
  }[];
}

const TONES: Readonly<Record<string, string>> = {
  pass: 'good',
  conformant: 'good',
  fail: 'bad',
  error: 'bad',
  violations: 'bad',
  warn: 'warn',
  inconclusive: 'warn',
  incomplete: 'warn',
};

/** The verdicts on the callers of a world. Asked for on opening and by a button: the judge reads every request. */
export function JudgeView({ world }: { readonly world: WorldId }): ComponentChildren {
  const [asked, ask] = useState(0);
  const { answer, problem } = useControl<JudgeAnswer>(`${controlOf(world)}/judge`, asked);
  if (problem !== undefined)
    return (
      <p class="quiet">
        {problem} Only a mock with <code>--judge</code> judges its callers.
      </p>
    );
  return (
    <>
      <h2>
        {worldName(world)}, callers: <b class={TONES[answer?.outcome ?? ''] ?? 'idle'}>{answer?.outcome}</b>
      </h2>
      <button onClick={() => ask(asked + 1)}>Judge again</button>
      <dl>
        {answer?.checks.map(({ id, clauses, title, verdict, reason }) => (
          <div key={id}>
            <dt class={TONES[verdict] ?? 'idle'}>{verdict}</dt>
            <dd>
              {title} <small>{clauses.join(', ')}</small>
              <p class="quiet">{reason}</p>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
