import type { ComponentChildren } from 'preact';
import { controlOf } from '../state/control-api.ts';
import { useControl } from '../state/hooks.ts';
import type { JudgeAnswer } from '../state/wire.ts';
import type { WorldProps } from './workspace-view.tsx';

const TONES: Readonly<Record<string, string>> = {
  pass: 'good',
  fail: 'bad',
  error: 'bad',
  warn: 'warn',
  inconclusive: 'warn',
};

/** What the judge of callers says of everything that called so far. Asked when the reader asks: it reads every request. */
export function JudgeView({ world, changes }: WorldProps): ComponentChildren {
  const { answer, problem, reload } = useControl<JudgeAnswer>(`${controlOf(world)}/judge`, world);
  if (problem !== undefined)
    return (
      <div class="page">
        <h2>Judge of callers</h2>
        <p class="quiet">
          This mock does not judge its callers: {problem.replace(/\.$/, '')}. Start it with{' '}
          <code>--judge</code>.
        </p>
      </div>
    );
  return (
    <div class="page" data-changes={changes}>
      <div class="heading">
        <h2>Judge of callers</h2>
        {answer !== undefined && <b class={`outcome ${answer.outcome}`}>{answer.outcome}</b>}
        <button onClick={reload}>Judge again</button>
      </div>
      <ul class="verdicts">
        {answer?.checks.map(({ id, clauses, title, verdict, reason }) => (
          <li key={id}>
            <b class={`status ${TONES[verdict] ?? 'idle'}`}>{verdict}</b>
            <span>
              {title} <small>{clauses.join(', ')}</small>
              {reason !== '' && <em>{reason}</em>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
