import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { control, controlOf, useControl, type WorldId } from './control-api.ts';
import { Action, Choice, CopyAction, Facts, Head, worldName } from './parts.tsx';
import { completions, lineHelp, type RuleSchema } from './rule-line.ts';
import { attempt } from './store.ts';

const PLANS = ['faults', 'answers'] as const;

type Plan = (typeof PLANS)[number];

interface ArmedWords {
  readonly id: string;
  readonly rule: object;
  readonly line: string;
  readonly seen: number;
  readonly over: boolean;
  /** Of a fault. */
  readonly fired?: number;
  /** Of an answer. */
  readonly answered?: number;
}

interface PlanAnswer {
  readonly rules: readonly ArmedWords[];
}

interface Props {
  readonly world: WorldId;
  readonly version: number;
  /** Shows the requests that a filter lets through. */
  readonly showRequests: (filter: string) => void;
}

const COLUMNS = {
  rule: 'Rule',
  line: 'Line',
  seen: 'Matched',
  triggered: 'Triggered',
  state: 'State',
  disarm: 'Disarm',
} as const;

/** The armed faults and chosen answers of a world, and a line that arms another one. */
export function RulesView({ world, version, showRequests }: Props): ComponentChildren {
  const base = controlOf(world);
  const faults = useControl<PlanAnswer>(`${base}/faults`, version);
  const answers = useControl<PlanAnswer>(`${base}/answers`, version);
  const plans = { faults: faults.answer?.rules ?? [], answers: answers.answer?.rules ?? [] };
  const problem = faults.problem ?? answers.problem;
  const rows = PLANS.flatMap((plan) =>
    plans[plan].map((armed) => (
      <RuleRow key={armed.id} armed={armed} plan={`${base}/${plan}`} showRequests={showRequests} />
    )),
  );
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
            <CopyAction title="as a scenario" text={() => scenarioOf(plans)} />
            <Action title="Disarm all" run={() => disarmAll(base)} />
          </p>
        </>
      )}
      <RuleForm base={base} />
    </>
  );
}

/** A file for `mock --scenario`. */
function scenarioOf(plans: Readonly<Record<Plan, readonly ArmedWords[]>>): string {
  const [faults, answers] = PLANS.map((plan) => plans[plan].map(({ rule }) => rule));
  return `${JSON.stringify({ faults, answers }, undefined, 2)}\n`;
}

async function disarmAll(base: string): Promise<string> {
  for (const plan of PLANS) await control('DELETE', `${base}/${plan}`);
  return 'Every rule is disarmed';
}

interface RowProps extends Pick<Props, 'showRequests'> {
  readonly armed: ArmedWords;
  /** The path of its plan in the control API. */
  readonly plan: string;
}

function RuleRow({ armed, plan, showRequests }: RowProps): ComponentChildren {
  const { id, line, seen, over, fired, answered } = armed;
  const triggered = fired ?? answered ?? 0;
  const disarm = async (): Promise<string> => {
    await control('DELETE', `${plan}/${id}`);
    return `${id} is disarmed`;
  };
  return (
    <tr>
      <td>{id}</td>
      <td>
        <code>{line}</code>
      </td>
      <td class="seen">{seen}</td>
      <td>
        {triggered === 0 ? (
          0
        ) : (
          <a
            href="#requests"
            aria-label={`${triggered}: requests of ${id}`}
            onClick={() => showRequests(`rule:${id}`)}
          >
            {triggered}
          </a>
        )}
      </td>
      <td class="state">{over ? 'spent' : triggered === 0 ? 'waiting' : 'armed'}</td>
      <td>
        <Action title="Disarm" label={`Disarm ${id}`} run={disarm} />
      </td>
    </tr>
  );
}

const LINES = {
  faults: { option: '--fault', example: 'gateway_failure phase=after-debit times=1' },
  answers: { option: '--answer', example: 'text="It rains." contains=weather' },
} as const;

/** One line arms a rule, as `--fault` and `--answer` do. */
function RuleForm({ base }: { readonly base: string }): ComponentChildren {
  const [plan, setPlan] = useState<Plan>('faults');
  const [line, setLine] = useState('');
  const arm = async (): Promise<string> => {
    await control('POST', `${base}/${plan}`, line);
    return `Armed: ${line}`;
  };
  return (
    <>
      <h2>Arm another rule</h2>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          attempt(arm);
        }}
      >
        <Choice label="Plan" value={plan} choices={PLANS} choose={setPlan} />
        <input
          aria-label={`Rule, as for ${LINES[plan].option}`}
          placeholder={LINES[plan].example}
          list="completions"
          spellcheck={false}
          value={line}
          onInput={(event) => setLine(event.currentTarget.value)}
        />
        <button>Arm</button>
      </form>
      <LineHelp plan={plan} line={line} />
    </>
  );
}

interface OpenApiAnswer {
  readonly components: { readonly schemas: Readonly<Record<'FaultPlan' | 'Answers', RuleSchema>> };
}

/** What can stand in the line, as the control API describes it. */
function LineHelp({ plan, line }: { readonly plan: Plan; readonly line: string }): ComponentChildren {
  const { answer } = useControl<OpenApiAnswer>('/control/openapi.json', '');
  const schemas = answer?.components.schemas;
  const schema = (plan === 'faults' ? schemas?.FaultPlan : schemas?.Answers) ?? {};
  const words = lineHelp(schema, line);
  return (
    <>
      <datalist id="completions">
        {completions(schema, line).map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <Facts facts={words.map(({ name, meaning }) => [name, meaning.replaceAll('`', '')])} />
    </>
  );
}
