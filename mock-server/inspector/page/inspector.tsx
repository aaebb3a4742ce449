import { type ComponentChildren, render } from 'preact';
import { useState } from 'preact/hooks';
import { authorization, saveToken, type WorldId } from './control-api.ts';
import { JudgeView } from './judge-view.tsx';
import { Choice, worldName } from './parts.tsx';
import { RequestsView } from './requests-view.tsx';
import { go, hrefOf, type Route, useRoute, VIEWS } from './route.ts';
import { RulesView } from './rules-view.tsx';
import { connect, dismissNotice, type Shown, start } from './store.ts';
import { WorldView } from './world-view.tsx';

const TITLES = { requests: 'Requests', rules: 'Rules', world: 'World', judge: 'Judge' } as const;

/** What each state of the connection is called, and its colour. */
const CONNECTIONS = {
  connecting: ['Connecting', 'idle'],
  live: ['Live', 'good'],
  lost: ['Disconnected', 'bad'],
} as const;

function Page({ shown }: { readonly shown: Shown }): ComponentChildren {
  const { worlds, connection, notice, mock } = shown;
  const route = useRoute();
  if (connection === 'locked') return <TokenForm />;
  // Only the list of requests can be of all worlds.
  const world = route.world || (route.view === 'requests' && route.world !== '' ? undefined : null);
  const isGone = mock !== '' && world !== undefined && !worlds.includes(world);
  return (
    <>
      <Header {...{ route, world, connection }} worlds={isGone ? [...worlds, world] : worlds} />
      <Notice notice={notice} />
      <main key={`${route.view} ${world}`}>
        {isGone ? (
          <p role="alert">
            {worldName(world)} is not there. <a href={hrefOf({ world: '' })}>Show {worldName(null)}</a>
          </p>
        ) : (
          viewOf(shown, route, world)
        )}
      </main>
    </>
  );
}

/** `world`: undefined for all. */
function viewOf(shown: Shown, route: Route, world: WorldId | undefined): ComponentChildren {
  if (world === undefined || route.view === 'requests')
    return <RequestsView {...{ ...shown, route, world }} />;
  if (route.view === 'rules') return <RulesView {...{ ...shown, route, world }} />;
  if (route.view === 'world') return <WorldView {...{ ...shown, world }} />;
  return <JudgeView {...{ ...shown, world }} />;
}

interface HeaderProps extends Pick<Shown, 'worlds'> {
  readonly route: Route;
  readonly world: WorldId | undefined;
  readonly connection: keyof typeof CONNECTIONS;
}

function Header({ route: { view }, world, worlds, connection }: HeaderProps): ComponentChildren {
  const [state, tone] = CONNECTIONS[connection];
  const choices = view === 'requests' ? [undefined, ...worlds] : worlds;
  const choose = (name: string): void => {
    const chosen = choices.find((each) => worldName(each) === name);
    go({ world: chosen === null ? '' : chosen, request: undefined });
  };
  return (
    <header>
      <h1>Mock inspector</h1>
      <nav aria-label="Views">
        {VIEWS.map((each) => (
          <a key={each} href={hrefOf({ view: each })} aria-current={each === view ? 'page' : undefined}>
            {TITLES[each]}
          </a>
        ))}
      </nav>
      <Choice label="World" value={worldName(world)} choices={choices.map(worldName)} choose={choose} />
      <span class={tone} role="status">
        ● {state}
      </span>
    </header>
  );
}

function Notice({ notice }: Pick<Shown, 'notice'>): ComponentChildren {
  return (
    <div role="status">
      {notice !== undefined && (
        <p class={notice.isProblem ? 'bar bad' : 'bar good'}>
          {notice.text}
          <button class="plain" aria-label="Dismiss" onClick={dismissNotice}>
            ×
          </button>
        </p>
      )}
    </div>
  );
}

/** Asks for the token of the control API, which stays in this tab. */
function TokenForm(): ComponentChildren {
  const [token, setToken] = useState('');
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    saveToken(token);
    void connect();
  };
  return (
    <main>
      <h1>Mock inspector</h1>
      <p>This mock requires its control token (CHAT_CONTROL_TOKEN).</p>
      <form class="bar" onSubmit={send}>
        <input
          aria-label="Control token"
          type="password"
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <button>Open</button>
      </form>
      {'authorization' in authorization() && <p role="alert">The mock does not accept this token.</p>}
    </main>
  );
}

start((shown) => render(<Page shown={shown} />, document.body));
