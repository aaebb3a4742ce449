import type { ComponentChildren } from 'preact';
import { control, controlOf, told, useControl, type WorldId } from './control-api.ts';
import { Action, CopyAction, Head, worldName } from './parts.tsx';
import { hrefOf, type Route } from './route.ts';
import { RuleForm } from './rule-form.tsx';
import { type Plan, PLANS } from './rule-line.ts';

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

type PlanAnswer = Readonly<Record<'rules', readonly ArmedWords[]>>;

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
    plans[plan].map((armed) => <RuleRow key={armed.id} {...{ armed, base, plan, world }} />),
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
      <RuleForm base={base} route={route} />
    </>
  );
}

/** A file for `mock --scenario`. */
function scenarioOf(plans: Readonly<Record<Plan, readonly ArmedWords[]>>): string {
  const [faults, answers] = PLANS.map((plan) => plans[plan].map(({ rule }) => rule));
  return `${JSON.stringify({ faults, answers }, undefined, 2)}\n`;
}

async function disarmAll(base: string): Promise<string> {
  await control('DELETE', `${base}/faults`);
  return told('Every rule is disarmed', 'DELETE', `${base}/answers`);
}

interface RowProps extends Pick<Props, 'world'> {
  readonly armed: ArmedWords;
  readonly plan: Plan;
  /** The path of its world in the control API. */
  readonly base: string;
}

function RuleRow({ armed, base, plan, world }: RowProps): ComponentChildren {
  const { id, line, seen, over, fired, answered } = armed;
  const triggered = fired ?? answered ?? 0;
  const hits = { view: 'requests', world: world ?? '', filter: `rule:${id}` } as const;
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
        <a href={hrefOf({ ...hits, request: undefined })} aria-label={`${triggered}: requests of ${id}`}>
          {triggered}
        </a>
      </td>
      <td class="state">{over ? 'spent' : triggered === 0 ? 'waiting' : 'armed'}</td>
      <td>
        <Action
          title="Disarm"
          label={`Disarm ${id}`}
          run={() => told(`${id} is disarmed`, 'DELETE', `${base}/${plan}/${id}`)}
        />
      </td>
    </tr>
  );
}
