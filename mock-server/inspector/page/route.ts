import { useEffect, useState } from 'preact/hooks';

export const VIEWS = ['requests', 'rules', 'world', 'judge'] as const;

/** What the page shows, as the fragment of its address says: `#requests?world=blue&filter=status:502&request=7`. */
export interface Route {
  readonly view: (typeof VIEWS)[number];
  /** The ID of a sandbox; empty: the mock's own world; absent: all. */
  readonly world?: string | undefined;
  readonly filter?: string | undefined;
  /** The ID of the chosen request. */
  readonly request?: string | undefined;
  /** The plan that the form for a rule is about, and the rule in it, as a line. */
  readonly plan?: string | undefined;
  readonly line?: string | undefined;
}

function routeOf(fragment: string): Route {
  const [, name = '', query = ''] = /^#?([^?]*)(?:\?(.*))?$/s.exec(fragment) ?? [];
  const view = VIEWS.find((each) => each === name) ?? 'requests';
  return { ...Object.fromEntries(new URLSearchParams(query)), view };
}

/** The address of what is shown now, with a change. */
export function hrefOf(change: Partial<Route>): string {
  const { view, ...rest } = { ...routeOf(location.hash), ...change };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, value);
  return `#${view}?${query}`;
}

/** Shows something else. The back button leads back, unless the change takes the place of the last one. */
export function go(change: Partial<Route>, how: 'pushState' | 'replaceState' = 'pushState'): void {
  history[how](null, '', hrefOf(change));
  dispatchEvent(new Event('popstate'));
}

export function useRoute(): Route {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => addEventListener('popstate', () => setFragment(location.hash)), []);
  return routeOf(fragment);
}
