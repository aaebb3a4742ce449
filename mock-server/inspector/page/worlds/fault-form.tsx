import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { FAULTS, type FaultName } from '../../../faults/catalogue/fault-catalogue.ts';
import type { FaultDescription } from '../../../faults/catalogue/fault-parameter.ts';
import { attempt } from '../parts/notices.tsx';
import { controlOf } from '../state/control-api.ts';
import { useControl } from '../state/hooks.ts';
import type { WorldAnswer, WorldId } from '../state/wire.ts';
import { Choice, Input, Parameter } from './form-fields.tsx';
import { arm, ruleLine } from './recipes.ts';

const NAMES = Object.keys(FAULTS).filter((name): name is FaultName => Object.hasOwn(FAULTS, name));

const LIMITS: readonly (readonly [name: string, meaning: string, type: 'number' | 'text'])[] = [
  ['times', 'How often it triggers; empty: always', 'number'],
  ['after', 'Matching requests that pass first', 'number'],
  ['nth', 'Only this one of the matching requests', 'number'],
  ['every', 'Only every so many-th of the matching requests', 'number'],
  ['probability', 'From 0 to 1', 'text'],
  ['model', 'Only for this model', 'text'],
];

/** What another fault keeps of the rule. */
const KEPT = new Set(['times', 'after', 'nth', 'every', 'per', 'probability', 'model', 'key']);

/** A form for one rule, made from the catalogue of faults. Its line can be edited before it is armed. */
export function FaultForm({ world }: { readonly world: WorldId }): ComponentChildren {
  const [fault, setFault] = useState<FaultName>('gateway_failure');
  const [values, setValues] = useState<Values>({ times: '1' });
  const [edited, setEdited] = useState<string | undefined>();
  const line = edited ?? ruleLine(fault, values);
  const change = (given: Values, name = fault): void => {
    setFault(name);
    setValues(given);
    setEdited(undefined);
  };
  const choose = (name: string): void => {
    if (isFault(name))
      change(Object.fromEntries(Object.entries(values).filter(([each]) => KEPT.has(each))), name);
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(() => arm(world, line));
      }}
    >
      <Choice
        name="fault"
        title={FAULTS[fault].meaning}
        values={{ fault }}
        set={(_, name) => choose(name)}
        choices={NAMES}
      />
      <Fields
        fault={fault}
        world={world}
        values={values}
        set={(name, value) => change({ ...values, [name]: value })}
      />
      <Line line={line} edit={setEdited} />
      <button class="primary">Arm</button>
    </form>
  );
}

interface LineProps {
  readonly line: string;
  readonly edit: (line: string) => void;
}

function Line({ line, edit }: LineProps): ComponentChildren {
  return (
    <label class="line">
      <span>
        Rule, as for <code>--fault</code>
      </span>
      <input value={line} spellcheck={false} onInput={(event) => edit(event.currentTarget.value)} />
    </label>
  );
}

function isFault(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}

type Values = Readonly<Record<string, string>>;

interface FieldsProps {
  readonly fault: FaultName;
  readonly world: WorldId;
  readonly values: Values;
  readonly set: (name: string, value: string) => void;
}

/** What the fault itself takes, then which requests it is for and how often. */
function Fields({ fault, world, ...field }: FieldsProps): ComponentChildren {
  const { answer } = useControl<WorldAnswer>(controlOf(world), world);
  const { defaultPhase, phases, parameters }: FaultDescription = FAULTS[fault];
  return (
    <>
      <Choice
        name="phase"
        title="Where in the request it triggers"
        empty={`default: ${defaultPhase}`}
        choices={phases}
        {...field}
      />
      {Object.entries(parameters).map(([name, parameter]) => (
        <Parameter key={`${fault} ${name}`} name={name} parameter={parameter} {...field} />
      ))}
      <Choice
        name="key"
        title="Only for this key"
        empty="any"
        choices={Object.keys(answer?.keys ?? {})}
        {...field}
      />
      {LIMITS.map(([name, meaning, type]) => (
        <Input key={name} name={name} title={meaning} type={type} {...field} />
      ))}
      <Choice
        name="per"
        title="nth, every and after count for each of them"
        empty="all together"
        choices={['key', 'connection']}
        {...field}
      />
    </>
  );
}
