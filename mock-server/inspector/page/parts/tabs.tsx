import type { ComponentChildren } from 'preact';

interface Tab<Name extends string> {
  readonly name: Name;
  readonly title: string;
  readonly count?: number | undefined;
}

interface Props<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly choose: (name: Name) => void;
  /** The ID of what the tabs show. */
  readonly panel?: string;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, Home: -99, End: 99 };

/** Tabs as WAI-ARIA has them: one stop for Tab, and the arrows choose. */
export function Tabs<Name extends string>(props: Props<Name>): ComponentChildren {
  const { label, tabs, chosen, choose, panel = 'panel' } = props;
  const move = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex(({ name }) => name === chosen) + step;
    const next =
      tabs[
        Math.abs(step) > 1 ? Math.min(Math.max(at, 0), tabs.length - 1) : (at + tabs.length) % tabs.length
      ];
    if (next === undefined) return;
    choose(next.name);
    document.getElementById(`tab-${next.name}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ name, title, count }) => (
        <button
          key={name}
          id={`tab-${name}`}
          role="tab"
          aria-selected={name === chosen}
          aria-controls={panel}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => choose(name)}
        >
          {title}
          {count !== undefined && count > 0 && <span class="count">{count.toLocaleString('en')}</span>}
        </button>
      ))}
    </div>
  );
}
