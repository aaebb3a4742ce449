import type { ComponentChildren } from 'preact';
import { control, controlOf } from '../state/control-api.ts';
import type { WorldId } from '../state/wire.ts';
import { attempt } from './notices.tsx';

interface Props {
  readonly world: WorldId;
  readonly requestId: string;
}

/** Resolves a request under review, as the workspace does. */
export function ResolveButtons({ world, requestId }: Props): ComponentChildren {
  const resolve = (outcome: 'completed' | 'failed'): void =>
    attempt(async () => {
      await control('POST', `${controlOf(world)}/requests/${requestId}/resolution`, { outcome });
      return `${requestId} is resolved as ${outcome}`;
    });
  return (
    <span class="resolve" role="group" aria-label={`Resolve ${requestId}`}>
      <button onClick={() => resolve('completed')}>Completed: debit it</button>
      <button onClick={() => resolve('failed')}>Failed: release it</button>
    </span>
  );
}
