import type { ComponentChildren } from 'preact';
import type { WorkspaceAnswer } from '../../control/workspace-operations.ts';
import type { WorldAnswer } from '../../control/world-operations.ts';
import { controlOf, told, useControl, type WorldId } from './control-api.ts';
import { Action, CopyAction, Facts, worldName } from './parts.tsx';
import { hrefOf } from './route.ts';

interface Props {
  readonly world: WorldId;
  readonly version: number;
  readonly worlds: readonly WorldId[];
}

/** How to call a world, its credits, and the other worlds. */
export function WorldView({ world, version, worlds }: Props): ComponentChildren {
  const { answer, problem } = useControl<WorldAnswer>(controlOf(world), version);
  return (
    <div class="cards">
      {problem !== undefined && <p role="alert">{problem}</p>}
      {answer !== undefined && <Calling answer={answer} />}
      <Sandboxes worlds={worlds} />
      <Workspaces world={world} version={version} />
    </div>
  );
}

function Calling({ answer }: { readonly answer: WorldAnswer }): ComponentChildren {
  const { id, url, seed, keys, clock } = answer;
  const name = worldName(id);
  const title = id === null ? 'Reset, and delete all sandboxes' : 'Reset';
  const question = `${title}? ${name} loses its requests, its debits, and the rules that were armed later.`;
  const reset = (): Promise<string> =>
    told(`${name} is as it was at its start`, 'POST', `${controlOf(id)}/reset`);
  return (
    <section>
      <h2>{name}</h2>
      <Facts
        facts={{
          'Base URL': url,
          Seed: seed,
          Keys: Object.keys(keys).join(', '),
          Clock: `${clock.now}, ${clock.kind}`,
        }}
      />
      <p class="buttons">
        <CopyAction title="environment" text={() => environment(answer)} />
        <Action {...{ title, question }} run={reset} />
      </p>
    </section>
  );
}

/** Lines for a shell. The page takes a key only here, and shows none. */
function environment({ url, keys }: WorldAnswer): string {
  const [key = ''] = Object.values(keys);
  return `export CHAT_BASE_URL=${url} OPENAI_BASE_URL=${url}\nexport CHAT_API_KEY=${key} OPENAI_API_KEY=${key}\n`;
}

function Sandboxes({ worlds }: Pick<Props, 'worlds'>): ComponentChildren {
  const ids = worlds.filter((id) => id !== null);
  return (
    <section>
      <h2>Sandboxes</h2>
      {ids.length === 0 && <p class="quiet">None. A sandbox is an isolated world, such as for one test.</p>}
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <a href={hrefOf({ world: id })}>{id}</a>{' '}
            <Action
              title="Delete"
              label={`Delete ${id}`}
              question={`Delete ${worldName(id)} with its requests and its workspace?`}
              run={() => told(`Sandbox ${id} is deleted`, 'DELETE', controlOf(id))}
            />
          </li>
        ))}
      </ul>
      <Action title="New sandbox" run={() => told('There is a new sandbox', 'POST', '/control/sandboxes')} />
    </section>
  );
}

/** Keys of one workspace share its credits. */
function Workspaces({ world, version }: Pick<Props, 'world' | 'version'>): ComponentChildren {
  const { answer, problem } = useControl<WorkspaceAnswer>(`${controlOf(world)}/workspace`, version);
  const keys = Object.entries(answer?.keys ?? {});
  const accounts = new Map(keys.map(([, account]) => [account.workspace, account]));
  return (
    <>
      {[...accounts.values()].map(({ workspace, granted, debited, held, available }) => (
        <section key={workspace} aria-label={`Workspace ${workspace}`}>
          <h2>Workspace {workspace}</h2>
          <Facts
            facts={{
              Keys: keys.flatMap(([key, own]) => (own.workspace === workspace ? [key] : [])).join(', '),
              Balance: granted - debited,
              Available: available,
              Held: held,
              Debited: debited,
              Granted: granted,
            }}
          />
        </section>
      ))}
      <p role="alert">{problem ?? answer?.invariants.join(' ')}</p>
    </>
  );
}
