import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf, Refusal, told, useControl } from './control-api.ts';
import { Choice } from './parts.tsx';
import { go, type Route } from './route.ts';
import {
  fieldsOf,
  type Plan,
  PLANS,
  type RuleField,
  type RuleSchema,
  valueIn,
  withValue,
} from './rule-line.ts';
import { attempt } from './store.ts';

const LINES = {
  faults: { option: '--fault', example: 'gateway_failure phase=after-debit times=1' },
  answers: { option: '--answer', example: 'text="It rains." contains=weather' },
} as const;

type Schemas = Readonly<Record<'FaultPlan' | 'Answers', RuleSchema>>;

interface Props {
  /** The path of the world in the control API. */
  readonly base: string;
  readonly route: Route;
}

/** Arms a rule. The line says it all; the fields, as the control API declares them, read and write the line. */
export function RuleForm({ base, route: { plan: asked, line = '' } }: Props): ComponentChildren {
  const plan = PLANS.find((each) => each === asked) ?? 'faults';
  const { answer } = useControl<{ components: { schemas: Schemas } }>('/control/openapi.json', '');
  const [refused, setRefused] = useState({ line: '', refusal: new Refusal('') });
  const { FaultPlan = {}, Answers = {} } = answer?.components.schemas ?? {};
  const schema = plan === 'faults' ? FaultPlan : Answers;
  const fields = fieldsOf(schema, line);
  // What was said of another line is true of it only.
  const { message, at } = refused.line === line ? refused.refusal : new Refusal('');
  const place = at.replace(/^\/(?:match\/)?/, '').replaceAll('/', '.');
  const wrong = fields.find(({ name }) => `${place}.`.startsWith(`${name}.`));
  const draw = (field: RuleField): ComponentChildren => (
    <Field
      key={`${plan} ${field.name}`}
      field={field}
      value={valueIn(line, field)}
      change={(value) => changeLine(withValue(schema, line, field, value))}
      problem={field === wrong ? message.slice(at.length + 2) : ''}
    />
  );
  const arm = (event: SubmitEvent): void => {
    event.preventDefault();
    attempt(
      () => told(`Armed: ${line}`, 'POST', `${base}/${plan}`, line),
      (error) =>
        setRefused({ line, refusal: error instanceof Refusal ? error : new Refusal(messageOf(error)) }),
    );
  };
  return (
    <form onSubmit={arm}>
      <h2>Arm another rule</h2>
      <LineInput plan={plan} line={line} problem={wrong === undefined ? message : ''} />
      <div class="fields">{fields.filter(({ isMatch }) => !isMatch).map(draw)}</div>
      {fields.some(({ isMatch }) => isMatch) && <h3>Only requests with all of these</h3>}
      <div class="fields">{fields.filter(({ isMatch }) => isMatch).map(draw)}</div>
    </form>
  );
}

function changeLine(line: string): void {
  go({ line: line || undefined }, 'replaceState');
}

interface LineProps {
  readonly plan: Plan;
  readonly line: string;
  /** Empty: none, or that of a field. */
  readonly problem: string;
}

function LineInput({ plan, line, problem }: LineProps): ComponentChildren {
  return (
    <>
      <div class="bar">
        <Choice
          label="Plan"
          value={plan}
          choices={PLANS}
          choose={(next) => go({ plan: next, line: undefined })}
        />
        <input
          aria-label={`Rule, as for ${LINES[plan].option}`}
          aria-invalid={problem !== ''}
          placeholder={LINES[plan].example}
          spellcheck={false}
          value={line}
          onInput={(event) => changeLine(event.currentTarget.value)}
        />
        <button>Arm</button>
      </div>
      {problem !== '' && <p role="alert">{problem}</p>}
    </>
  );
}

interface FieldProps {
  readonly field: RuleField;
  readonly value: string;
  readonly change: (value: string) => void;
  /** Empty: none. */
  readonly problem: string;
}

/** A field with its meaning, and with what is wrong with its value. While it is edited, it stays as it was typed. */
function Field({ field, value, change, problem }: FieldProps): ComponentChildren {
  const { name, meaning, values, isMap } = field;
  const [typed, setTyped] = useState<string>();
  const common = {
    id: `field-${name}`,
    'aria-describedby': `about-${name}`,
    'aria-invalid': problem !== '',
    value: typed ?? value,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
      setTyped(currentTarget.value);
      change(currentTarget.value);
    },
    onBlur: () => setTyped(undefined),
  };
  return (
    <div class="field">
      <label for={common.id}>{name}</label>
      {values.length > 0 ? (
        <select {...common}>
          <option value=""> </option>
          {values.map(([each, title]) => (
            <option key={each} value={each}>
              {title}
            </option>
          ))}
        </select>
      ) : (
        <textarea {...common} rows={1} spellcheck={false} placeholder={isMap ? 'NAME: VALUE' : ''} />
      )}
      <small id={`about-${name}`}>
        {problem !== '' && <b role="alert">{problem}</b>} {meaning}
      </small>
    </div>
  );
}
