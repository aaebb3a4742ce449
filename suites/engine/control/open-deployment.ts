import type { Control, Deployment } from '../model/deployment.ts';
import type { Transport } from '../model/exchange.ts';
import { ControlError, type Hide, openControl } from './control-connection.ts';
import { areSettled } from './read-workspace.ts';

const FAULTS = '/faults';

/** A rule that is never disarmed, because the run was killed, expires after this. */
const RULE_TTL_MS = 60_000;

const PATIENCE_MS = 10_000;

/** They load zod, which a run that reads nothing of the control API does not need. */
const schemas = () => import('../model/deployment.ts');

/**
 * Speaks the control protocol (docs/control-protocol.md). `hide` takes secrets out of its answers; `onShown` is
 * called with each Idempotency-Key whose requests the workspace shows as ended.
 */
export function openDeployment(
  control: Control,
  transport: Transport,
  hide: Hide,
  onShown: (idempotencyKey: string) => void = () => {},
): Deployment {
  const { call, read } = openControl(control, transport, hide);
  let isArmed = false;
  return {
    patienceMs: control.patienceMs ?? PATIENCE_MS,
    close: transport.close,
    arm: async (rule) => {
      // Set before the call: a lost answer may have armed something.
      isArmed = true;
      const whole = { ...rule, match: { endpoint: 'chat' }, times: 1, ttl: RULE_TTL_MS };
      await call('PUT', FAULTS, [whole]).catch((error: unknown) => {
        if (error instanceof ControlError && error.kind !== 'unknown') isArmed = false;
        throw error;
      });
    },
    triggerCount: async () => {
      const { rules } = await read(FAULTS, (await schemas()).faults);
      return rules.reduce((sum, { fired }) => sum + fired, 0);
    },
    disarm: async () => {
      if (isArmed) await call('DELETE', FAULTS);
      isArmed = false;
    },
    requests: async (key) => {
      const path = `/requests?idempotencyKey=${encodeURIComponent(key)}`;
      const { requests } = await read(path, (await schemas()).requests);
      if (areSettled(requests)) onShown(key);
      return requests;
    },
    balance: async () => read('/workspace', (await schemas()).workspace),
    release: async (requestId) => {
      const path = `/requests/${encodeURIComponent(requestId.toWellFormed())}/resolution`;
      await call('POST', path, { outcome: 'failed' }).catch(unlessControlError);
    },
  };
}

/** Disarms what is still armed. Returns why it could not, or undefined when nothing is armed any more. */
export async function disarmed(deployment: Deployment | undefined): Promise<string | undefined> {
  const error = await deployment?.disarm().then(() => undefined, unlessControlError);
  return error && `a fault may still be armed: ${error.message}`;
}

function unlessControlError(error: unknown): ControlError {
  if (error instanceof ControlError) return error;
  throw error;
}
