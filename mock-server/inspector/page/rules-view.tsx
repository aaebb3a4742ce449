import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownRule } from '../../rules/rule-plan.ts';
import { control, controlOf, messageOf, placeOf, told, useControl, type WorldId } from './control-api.ts';
import { Action, Choice, CopyAction, Head, worldName } from './parts.tsx';
import { go, hrefOf, type Route } from './route.ts';
import { fieldsOf, type Plan, PLANS, type RuleSchema, valueIn, withValue } from './rule-line.ts';
import { attempt } from './store.ts';

type PlanAnswer = Readonly<Record<'rules', readonly ShownRule[]>>;

interface Props {
  readonly world: WorldId;
  readonly version: number;
  readonly route: Route;
}

const COLUMNS = {
  rule: 'Rule',
  line: 'Line',
  seen: 'Matched',
  triggered: 'Triggered',
  state: 'State',
  disarm: 'Disarm',
} as const;

/** The armed faults and chosen answers of a world, and a form that arms another one. */
export function RulesView({ world, version, route }: Props): ComponentChildren {
  const base = controlOf(world);
  const faults = useControl<PlanAnswer>(`${base}/faults`, version);
  const answers = useControl<PlanAnswer>(`${base}/answers`, version);
  const plans = { faults: faults.answer?.rules ?? [], answers: answers.answer?.rules ?? [] };
  const problem = faults.problem ?? answers.problem;
  const rows = PLANS.flatMap((plan) =>
    plans[plan].map((armed) => <RuleRow key={armed.id} {...{ armed, plan, world }} />),
  );
  const disarmAll = async (): Promise<string> => {
    await control('DELETE', `${base}/faults`);
    return told('Every rule is disarmed', 'DELETE', `${base}/answers`);
  };
  return (
    <>
      <h2>{worldName(world)}, rules</h2>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {rows.length === 0 && <p class="quiet">No rule is armed.</p>}
      {rows.length > 0 && (
        <>
          <table class="rules">
            <Head columns={COLUMNS} />
            <tbody>{rows}</tbody>
          </table>
          <p class="buttons">
            <CopyAction title="as a world" text={() => worldOf(plans)} />
            <Action title="Disarm all" run={disarmAll} />
          </p>
        </>
      )}
      <RuleForm {...{ base, route }} />
    </>
  );
}

/** A file for `mock --world`. */
function worldOf(plans: Readonly<Record<Plan, readonly ShownRule[]>>): string {
  const [faults, answers] = PLANS.map((plan) => plans[plan].map(({ rule }) => rule));
  return `${JSON.stringify({ faults, answers }, undefined, 2)}\n`;
}

interface RowProps extends Pick<Props, 'world'> {
  readonly armed: ShownRule;
  readonly plan: Plan;
}

function RuleRow({ armed, plan, world }: RowProps): ComponentChildren {
  const { id, line, seen, over, fired: used } = armed;
  const hits = hrefOf({ view: 'requests', world: world ?? '', filter: `rule:${id}`, request: undefined });
  const disarm = (): Promise<string> =>
    told(`${id} is disarmed`, 'DELETE', `${controlOf(world)}/${plan}/${id}`);
  return (
    <tr>
      <td>{id}</td>
      <td>
        <a href={hrefOf({ plan, line })} title="Fill the form with this rule">
          <code>{line}</code>
        </a>
      </td>
      <td class="seen">{seen}</td>
      <td>
        <a href={hits} aria-label={`${used}: requests of ${id}`}>
          {used}
        </a>
      </td>
      <td class="state">{over ? 'spent' : used === 0 ? 'waiting' : 'armed'}</td>
      <td>
        <Action title="Disarm" label={`Disarm ${id}`} run={disarm} />
      </td>
    </tr>
  );
}

const LINES = {
  faults: { option: '--fault', schema: 'FaultPlan', example: 'gateway_failure phase=after-debit times=1' },
  answers: { option: '--answer', schema: 'Answers', example: 'text="It rains." contains=weather' },
} as const;

type Schemas = Readonly<Record<'FaultPlan' | 'Answers', RuleSchema>>;

interface FormProps extends Pick<Props, 'route'> {
  readonly base: string;
}

/** Arms a rule. The line says it all; the fields, as the control API declares them, read and write the line. */
function RuleForm({ base, route: { plan: asked, line = '' } }: FormProps): ComponentChildren {
  const plan = PLANS.find((each) => each === asked) ?? 'faults';
  const { answer } = useControl<{ components: { schemas: Schemas } }>('/control/openapi.json', '');
  const schema = answer?.components.schemas[LINES[plan].schema] ?? {};
  const [refused, setRefused] = useState({ line: '', message: '', at: '' });
  // What was said of another line is true of it only.
  const { message, at } = refused.line === line ? refused : { message: '', at: '' };
  const place = at.replace(/^\/(?:match\/)?/, '').replaceAll('/', '.');
  const fields = fieldsOf(schema, line);
  const wrong = fields.find(({ name }) => `${place}.`.startsWith(`${name}.`));
  const arm = (event: SubmitEvent): void => {
    event.preventDefault();
    attempt(
      () => told(`Armed: ${line}`, 'POST', `${base}/${plan}`, line),
      (error) => setRefused({ line, message: messageOf(error), at: placeOf(error) }),
    );
  };
  const [own, match] = [false, true].map((isMatch) =>
    fields
      .filter((field) => field.isMatch === isMatch)
      .map((field) => (
        <Field
          key={`${plan} ${field.name}`}
          field={field}
          value={valueIn(line, field)}
          change={(value) => changeLine(withValue(schema, line, field, value))}
          problem={field === wrong ? message.slice(at.length + 2) : ''}
        />
      )),
  );
  return (
    <form onSubmit={arm}>
      <h2>Arm another rule</h2>
      <LineInput plan={plan} line={line} problem={wrong === undefined ? message : ''} />
      <div class="fields">{own}</div>
      {match?.length !== 0 && <h3>Only requests with all of these</h3>}
      <div class="fields">{match}</div>
    </form>
  );
}

function choosePlan(plan: string): void {
  go({ plan, line: undefined });
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
        <Choice label="Plan" value={plan} choices={PLANS} choose={choosePlan} />
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
  readonly field: ReturnType<typeof fieldsOf>[number];
  readonly value: string;
  readonly change: (value: string) => void;
  /** Empty: none. */
  readonly problem: string;
}

/** A field with its meaning, and with what is wrong with its value. While it is edited, it stays as it was typed. */
function Field({ field, value, change, problem }: FieldProps): ComponentChildren {
  const { name, meaning, values, titles = values, isMap } = field;
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
          {values.map((each, index) => (
            <option key={each} value={each}>
              {titles[index]}
            </option>
          ))}
        </select>
      ) : (
        <textarea {...common} rows={1} spellcheck={false} placeholder={isMap ? 'NAME: VALUE' : ''} />
      )}
      <small id={`about-${name}`}>
        {problem !== '' && <b role="alert">{problem}</b>} {meaning.replaceAll('`', '')}
      </small>
    </div>
  );
}
