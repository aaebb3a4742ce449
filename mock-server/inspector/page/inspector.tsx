import { type ComponentChildren, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { authorization, saveToken, type WorldId } from './control-api.ts';
import { JudgeView } from './judge-view.tsx';
import { Choice, worldName } from './parts.tsx';
import { RequestsView } from './requests-view.tsx';
import { RulesView } from './rules-view.tsx';
import { connect, dismissNotice, type Shown, start } from './store.ts';
import { WorldView } from './world-view.tsx';

const VIEWS = { requests: 'Requests', rules: 'Rules', world: 'World', judge: 'Judge' } as const;

type ViewName = keyof typeof VIEWS;

/** What each state of the connection is called, and its colour. */
const CONNECTIONS = {
  connecting: ['Connecting', 'idle'],
  live: ['Live', 'good'],
  lost: ['Disconnected', 'bad'],
} as const;

function Page({ shown }: { readonly shown: Shown }): ComponentChildren {
  const { entries, worlds, version, connection, notice } = shown;
  const view = useView();
  const [text, setText] = useState('');
  // Undefined: all worlds. What only one world has is then shown of the mock's own.
  const [chosen, choose] = useState<WorldId | undefined>();
  const world = worlds.includes(chosen ?? null) ? chosen : undefined;
  if (connection === 'locked') return <TokenForm />;
  const [state, tone] = CONNECTIONS[connection];
  const one = { world: world ?? null, version };
  return (
    <>
      <header>
        <h1>
          <img src="/control/ui/icon.svg" alt="" width="18" height="18" /> Mock inspector
        </h1>
        <Navigation view={view} />
        <Choice
          label="World"
          value={worldName(world)}
          choices={[undefined, ...worlds].map(worldName)}
          choose={(name) => choose(worlds.find((each) => worldName(each) === name))}
        />
        <span class={tone} role="status">
          ● {state}
        </span>
      </header>
      <Notice notice={notice} />
      <main key={view}>
        {view === 'requests' && <RequestsView {...{ entries, world, text, setText }} />}
        {view === 'rules' && <RulesView {...one} showRequests={setText} />}
        {view === 'world' && <WorldView {...one} worlds={worlds} choose={choose} />}
        {view === 'judge' && <JudgeView world={one.world} />}
      </main>
    </>
  );
}

/** The view that the fragment of the address names. */
function useView(): ViewName {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => addEventListener('hashchange', () => setFragment(location.hash)), []);
  const name = fragment.slice(1);
  return isView(name) ? name : 'requests';
}

function isView(name: string): name is ViewName {
  return Object.hasOwn(VIEWS, name);
}

function Navigation({ view }: { readonly view: ViewName }): ComponentChildren {
  return (
    <nav aria-label="Views">
      {Object.entries(VIEWS).map(([name, title]) => (
        <a key={name} href={`#${name}`} aria-current={name === view ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
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
