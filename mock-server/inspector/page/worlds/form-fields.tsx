import type { ComponentChildren } from 'preact';
import type { FaultParameter } from '../../../faults/catalogue/fault-parameter.ts';

interface Field {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
  readonly set: (name: string, value: string) => void;
}

export function Parameter({
  parameter,
  ...field
}: Field & { readonly parameter: FaultParameter }): ComponentChildren {
  const { meaning } = parameter;
  if (parameter.kind === 'choice')
    return (
      <Choice
        {...field}
        title={meaning}
        empty={`default: ${parameter.default}`}
        choices={parameter.choices.map(String)}
      />
    );
  const hint = parameter.default === undefined ? '' : String(parameter.default);
  const type = parameter.kind === 'integer' ? 'number' : 'text';
  return <Input {...field} title={meaning} hint={hint} type={type} />;
}

interface ChoiceProps extends Field {
  readonly title: string;
  readonly choices: readonly string[];
  /** What no choice is called; absent: one is always chosen. */
  readonly empty?: string;
}

export function Choice({ name, title, choices, empty, values, set }: ChoiceProps): ComponentChildren {
  return (
    <Labelled name={name} title={title}>
      <select
        id={`field-${name}`}
        aria-describedby={`about-${name}`}
        value={values[name] ?? ''}
        onChange={(event) => set(name, event.currentTarget.value)}
      >
        {empty !== undefined && <option value="">{empty}</option>}
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    </Labelled>
  );
}

interface InputProps extends Field {
  readonly title: string;
  readonly type: 'number' | 'text';
  readonly hint?: string;
}

export function Input({ name, title, type, hint, values, set }: InputProps): ComponentChildren {
  return (
    <Labelled name={name} title={title}>
      <input
        id={`field-${name}`}
        aria-describedby={`about-${name}`}
        inputMode={type === 'number' ? 'numeric' : 'text'}
        placeholder={hint}
        value={values[name] ?? ''}
        onInput={(event) => set(name, event.currentTarget.value)}
      />
    </Labelled>
  );
}

interface LabelledProps {
  readonly name: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Labelled({ name, title, children }: LabelledProps): ComponentChildren {
  return (
    <div class="field">
      <label for={`field-${name}`}>{name}</label>
      {children}
      <small id={`about-${name}`}>{title.replaceAll('`', '')}</small>
    </div>
  );
}
