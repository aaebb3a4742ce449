import type { ComponentChildren } from 'preact';
import type { WorldId } from './control-api.ts';
import { attempt } from './store.ts';

interface ActionProps {
  readonly title: string;
  readonly label?: string;
  /** Asked before it acts. */
  readonly question?: string;
  /** Resolves to what to tell the reader. */
  readonly run: () => Promise<string>;
}

/** A button that tells what became of its action. */
export function Action({ title, label, question, run }: ActionProps): ComponentChildren {
  const act = (): void => {
    if (question === undefined || confirm(question)) attempt(run);
  };
  return (
    <button aria-label={label} onClick={act}>
      {title}
    </button>
  );
}

interface CopyProps extends Pick<ActionProps, 'title'> {
  readonly text: () => string;
}

export function CopyAction({ title, text }: CopyProps): ComponentChildren {
  const run = async (): Promise<string> => {
    if (!isSecureContext) throw new Error('The browser lets a page copy only at a loopback address');
    await navigator.clipboard.writeText(text());
    return `Copied: ${title}`;
  };
  return <Action title={`Copy ${title}`} run={run} />;
}

interface FactsProps {
  /** By their names; headers may repeat theirs. A fact without a value is left out. */
  readonly facts: Readonly<Record<string, string | number | null>> | readonly (readonly [string, string])[];
}

export function Facts({ facts }: FactsProps): ComponentChildren {
  const rows = Array.isArray(facts) ? facts : Object.entries(facts);
  return (
    <dl>
      {rows
        .filter(([, value]) => value !== null)
        .map(([name, value], index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>{typeof value === 'number' ? value.toLocaleString('en') : value}</dd>
          </div>
        ))}
    </dl>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly string[];
  readonly choose: (choice: string) => void;
}

export function Choice({ label, value, choices, choose }: ChoiceProps): ComponentChildren {
  return (
    <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}

/** The head of a table: titles by the classes of their columns. */
export function Head({ columns }: { readonly columns: Readonly<Record<string, string>> }): ComponentChildren {
  return (
    <thead>
      <tr>
        {Object.entries(columns).map(([name, title]) => (
          <th key={name} scope="col" class={name}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** What the page calls a world; undefined: all. */
export function worldName(world: WorldId | undefined): string {
  if (world === undefined) return 'All worlds';
  return world === null ? "The mock's own world" : `Sandbox ${world}`;
}

/** The address of a world before `/v1`. */
export function baseOf(world: WorldId): string {
  return world === null ? location.origin : `${location.origin}/sandboxes/${world}`;
}
