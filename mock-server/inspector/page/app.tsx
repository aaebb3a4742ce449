import type { ComponentChildren, RefObject } from 'preact';
import { useState, useLayoutEffect, useRef } from 'preact/hooks';
import { Notices } from './parts/notices.tsx';
import { Tabs } from './parts/tabs.tsx';
import { EVERYTHING } from './requests/filter.ts';
import { RequestsView } from './requests/requests-view.tsx';
import { Header } from './shell/header.tsx';
import { TokenForm } from './shell/token-form.tsx';
import { controlOf } from './state/control-api.ts';
import { type Loaded, useControl, useLive } from './state/hooks.ts';
import { type FaultsAnswer, type WorldId } from './state/wire.ts';
import { CookbookView } from './worlds/cookbook-view.tsx';
import { FaultsView } from './worlds/faults-view.tsx';
import { JudgeView } from './worlds/judge-view.tsx';
import { WorkspaceView } from './worlds/workspace-view.tsx';
import { WorldView } from './worlds/world-view.tsx';

/** The whole page. */
export function App(): ComponentChildren {
  const { connection } = useLive();
  if (connection === 'token') return <TokenForm />;
  return <Inspector />;
}

/** The name of the view, and what it shows of each world. */
const VIEWS = [
  { name: 'requests', title: 'Requests' },
  { name: 'workspace', title: 'Workspace' },
  { name: 'faults', title: 'Faults' },
  { name: 'cookbook', title: 'Cookbook' },
  { name: 'world', title: 'World' },
  { name: 'judge', title: 'Judge' },
] as const;

type ViewName = (typeof VIEWS)[number]['name'];

function Inspector(): ComponentChildren {
  const { changes, list } = useLive();
  const [view, setView] = useState<ViewName>('requests');
  // Undefined: all worlds, of which the mock's own is the one to change.
  const [chosen, choose] = useState<WorldId | undefined>();
  const world = chosen === undefined || list.worlds.includes(chosen) ? chosen : undefined;
  const target = world ?? null;
  const faults = useControl<FaultsAnswer>(`${controlOf(target)}/faults`, changes);
  const main = useTop(view);
  const counts: Partial<Record<ViewName, number>> = {
    requests: list.all().length,
    faults: faults.answer?.rules.filter(({ over }) => !over).length ?? 0,
  };
  const tabs = VIEWS.map(({ name, title }) => ({ name, title, count: counts[name] }));
  return (
    <>
      <header>
        <Header world={world} choose={choose} />
        <Tabs label="Views" tabs={tabs} chosen={view} choose={setView} />
      </header>
      <main ref={main}>
        <div id="panel" role="tabpanel" aria-labelledby={`tab-${view}`}>
          {view !== 'requests' && world === undefined && list.worlds.length > 1 && (
            <p class="quiet about">The mock's own world. Choose a sandbox above to see its own.</p>
          )}
          <View {...{ view, setView, world, target, changes, choose, faults }} />
        </div>
      </main>
      <Notices />
    </>
  );
}

/** A view begins at its top, wherever the one before was left. */
function useTop(view: ViewName): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  useLayoutEffect(() => main.current?.scrollTo(0, 0), [view]);
  return main;
}

interface ViewProps {
  readonly view: ViewName;
  readonly setView: (view: ViewName) => void;
  readonly world: WorldId | undefined;
  readonly target: WorldId;
  readonly changes: number;
  readonly choose: (world: WorldId | undefined) => void;
  readonly faults: Loaded<FaultsAnswer>;
}

function View({ view, setView, world, target, changes, choose, faults }: ViewProps): ComponentChildren {
  const [filter, setFilter] = useState(EVERYTHING);
  const props = { world: target, changes };
  const showRequests = (text: string): void => {
    setFilter({ ...EVERYTHING, text });
    setView('requests');
  };
  switch (view) {
    case 'requests':
      return <RequestsView world={world} filter={filter} setFilter={setFilter} />;
    case 'workspace':
      return <WorkspaceView {...props} />;
    case 'faults':
      return <FaultsView {...props} faults={faults} showRequests={showRequests} />;
    case 'cookbook':
      return <CookbookView {...props} choose={choose} />;
    case 'world':
      return <WorldView {...props} choose={choose} />;
    case 'judge':
      return <JudgeView {...props} />;
  }
}
