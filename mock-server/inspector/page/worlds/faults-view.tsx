import type { ComponentChildren } from 'preact';
import { asLine, asScenario } from '../copying/as-code.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { attempt } from '../parts/notices.tsx';
import { control, controlOf } from '../state/control-api.ts';
import type { Loaded } from '../state/hooks.ts';
import type { RuleAnswer, FaultsAnswer, WorldId } from '../state/wire.ts';
import { FaultForm } from './fault-form.tsx';
import type { WorldProps } from './workspace-view.tsx';

interface Props extends WorldProps {
  readonly faults: Loaded<FaultsAnswer>;
  /** Shows the requests that a filter lets through. */
  readonly showRequests: (filter: string) => void;
}

/** The fault plan of a world: what is armed, and a form that arms more. */
export function FaultsView({ world, faults: { answer, problem }, showRequests }: Props): ComponentChildren {
  const rules = answer?.rules ?? [];
  const clear = (): void =>
    attempt(async () => {
      await control('DELETE', `${controlOf(world)}/faults`);
      return 'Every rule is disarmed';
    });
  return (
    <div class="page">
      {problem !== undefined && <p role="alert">{problem}</p>}
      <div class="heading">
        <h2>Fault plan</h2>
        <CopyButton title="as a scenario" text={() => asScenario(rules, undefined)} />
        <button onClick={clear} disabled={rules.length === 0}>
          Disarm all
        </button>
      </div>
      {rules.length === 0 ? (
        <p class="quiet">No fault is armed. At each phase the first rule that matches a request triggers.</p>
      ) : (
        <Rules rules={rules} world={world} showRequests={showRequests} />
      )}
      <h2>Arm a fault</h2>
      <FaultForm world={world} />
    </div>
  );
}

interface RulesProps extends Pick<Props, 'showRequests'> {
  readonly rules: readonly RuleAnswer[];
  readonly world: WorldId;
}

function Rules({ rules, ...props }: RulesProps): ComponentChildren {
  return (
    <div class="scroll" role="region" aria-label="Rules of the fault plan" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">What it does</th>
            <th scope="col" class="number">
              Matched
            </th>
            <th scope="col" class="number">
              Triggered
            </th>
            <th scope="col">State</th>
            <th scope="col">
              <span class="unseen">Disarm</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <RuleRow key={rule.id} armed={rule} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps = Omit<RulesProps, 'rules'> & { readonly armed: RuleAnswer };

function RuleRow({ armed, world, showRequests }: RowProps): ComponentChildren {
  const { id, rule, seen, fired, over } = armed;
  const disarm = (): void =>
    attempt(async () => {
      await control('DELETE', `${controlOf(world)}/faults/${id}`);
      return `${id} is disarmed`;
    });
  const show = (): void => showRequests(`rule:${id}`);
  return (
    <tr class={over ? 'over' : ''}>
      <td class="code">{id}</td>
      <td class="code line">{asLine(rule)}</td>
      <td class="number" data-name="matched">
        {seen}
      </td>
      <td class="number" data-name="triggered">
        {fired === 0 ? (
          0
        ) : (
          <button
            class="plain"
            aria-label={`${fired}: show the requests that triggered ${id}`}
            onClick={show}
          >
            {fired}
          </button>
        )}
      </td>
      <td>{over ? 'spent' : fired === 0 ? 'waiting' : 'armed'}</td>
      <td>
        <button onClick={disarm} aria-label={`Disarm ${id}`}>
          Disarm
        </button>
      </td>
    </tr>
  );
}
