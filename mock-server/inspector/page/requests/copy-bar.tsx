import type { ComponentChildren } from 'preact';
import type { ShownExchange } from '../../../journal/shown-exchange.ts';
import { asScenario, asTest } from '../copying/as-code.ts';
import { asCurl } from '../copying/as-curl.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { controlOf } from '../state/control-api.ts';
import { useControl } from '../state/hooks.ts';
import type { FaultsAnswer, WorldAnswer } from '../state/wire.ts';

/** Takes the request elsewhere. A handshake, and bytes that are no request, cannot be sent again. */
export function CopyBar({ exchange }: { readonly exchange: ShownExchange }): ComponentChildren {
  const { id, sandbox, faults, path } = exchange.entry;
  const control = controlOf(sandbox);
  const rules = useControl<FaultsAnswer>(`${control}/faults`, id).answer?.rules ?? [];
  const world = useControl<WorldAnswer>(control, sandbox).answer;
  const base = sandbox === null ? location.origin : `${location.origin}/sandboxes/${sandbox}`;
  const triggered = rules.filter((rule) => faults.some((fault) => fault.rule === rule.id));
  return (
    <div class="copies">
      {path.startsWith('/') && (
        <>
          <CopyButton title="as curl" text={() => asCurl(exchange, base)} />
          <CopyButton title="as a test" text={() => asTest(exchange, rules)} />
        </>
      )}
      <CopyButton
        title="as a scenario"
        text={() => asScenario(triggered.length > 0 ? triggered : rules, world?.seed)}
      />
    </div>
  );
}
