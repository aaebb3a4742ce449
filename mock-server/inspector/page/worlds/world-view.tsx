import type { ComponentChildren } from 'preact';
import { CopyButton } from '../parts/copy-button.tsx';
import { attempt } from '../parts/notices.tsx';
import { control, controlOf } from '../state/control-api.ts';
import { useControl, useLive } from '../state/hooks.ts';
import type { WorldAnswer, WorldId } from '../state/wire.ts';
import { ClockForm } from './clock-form.tsx';
import type { WorldProps } from './workspace-view.tsx';

interface Props extends WorldProps {
  readonly choose: (world: WorldId | undefined) => void;
}

/** How to call a world, its clock, its beginning, and the other worlds. */
export function WorldView({ world, changes, choose }: Props): ComponentChildren {
  const { answer, problem } = useControl<WorldAnswer>(controlOf(world), changes);
  return (
    <div class="page">
      {problem !== undefined && <p role="alert">{problem}</p>}
      <div class="cards">
        {answer !== undefined && (
          <section class="card" aria-label="How to call it">
            <h2>{world === null ? "The mock's own world" : `Sandbox ${world}`}</h2>
            <dl class="facts">
              <div>
                <dt>Base URL</dt>
                <dd>{answer.url}</dd>
              </div>
              <div>
                <dt>Seed</dt>
                <dd>{answer.seed}</dd>
              </div>
              <div>
                <dt>Keys</dt>
                <dd>{Object.keys(answer.keys).join(', ')}</dd>
              </div>
            </dl>
            <CopyButton title="environment" text={() => environment(answer)} /> <Reset world={world} />
          </section>
        )}
        {answer !== undefined && <ClockForm world={world} clock={answer.clock} />}
        <Sandboxes choose={choose} />
      </div>
    </div>
  );
}

/** Lines for a shell; the only place from which a key is taken, and none is shown. */
function environment({ url, keys }: WorldAnswer): string {
  const [key = ''] = Object.values(keys);
  return `export CHAT_BASE_URL=${url} OPENAI_BASE_URL=${url}\nexport CHAT_API_KEY=${key} OPENAI_API_KEY=${key}\n`;
}

function Reset({ world }: { readonly world: WorldId }): ComponentChildren {
  const reset = (): void =>
    attempt(async () => {
      await control('POST', `${controlOf(world)}/reset`);
      return world === null
        ? 'The mock is as it was at its start'
        : `Sandbox ${world} is as it was at its start`;
    });
  const title = world === null ? 'Reset, and delete all sandboxes' : 'Reset';
  return <button onClick={reset}>{title}</button>;
}

function remove(id: string): void {
  attempt(async () => {
    await control('DELETE', controlOf(id));
    return `Sandbox ${id} is deleted`;
  });
}

function Sandboxes({ choose }: Pick<Props, 'choose'>): ComponentChildren {
  const { list } = useLive();
  const create = (): void =>
    attempt(async () => {
      const { id } = await control<{ readonly id: string }>('POST', '/control/sandboxes', {});
      choose(id);
      return `Sandbox ${id} is there`;
    });
  const ids = list.worlds.filter((id) => id !== null);
  return (
    <section class="card" aria-label="Sandboxes">
      <h2>Sandboxes</h2>
      {ids.length === 0 && <p class="quiet">None: isolated worlds in this mock, one for each test.</p>}
      <ul class="plain">
        {ids.map((id) => (
          <li key={id}>
            <button class="plain" onClick={() => choose(id)}>
              {id}
            </button>{' '}
            <button onClick={() => remove(id)} aria-label={`Delete ${id}`}>
              Delete
            </button>
          </li>
        ))}
      </ul>
      <button onClick={create}>New sandbox</button>
    </section>
  );
}
