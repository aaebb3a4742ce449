import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import { isJsonObject } from '../reading/json.ts';
import { type ControlCall, type Control, openControl, unexpectedAnswer } from './ask-control.ts';
import { ControlError } from './control-failure.ts';
import type { Balance, Deployment, WorkspaceRequest, FaultRule } from '../model/deployment.ts';
import { isWholeNumber } from './is-whole-number.ts';
import { readBalance } from './read-balance.ts';
import { readWorkspaceRequest } from './read-money-record.ts';

const FAULTS = '/faults';
const REQUESTS = '/requests';
const WORKSPACE = '/workspace';

/** A rule that nobody disarms, because the run was killed, is over after so long. */
const RULE_LIVES_MS = 60_000;

const PATIENCE_MS = 10_000;
const LONGEST_ANSWER_MS = 10_000;

/**
 * Speaks the control protocol (docs/control-protocol.md); `hide` takes secrets out of what a failure says, `onShown`
 * hears of each Idempotency-Key of which the workspace has shown what became of its request.
 */
export function openDeployment(
  control: Control,
  timeoutMs: number,
  hide: (text: string) => string,
  onShown: (idempotencyKey: string) => void = () => {},
): Deployment {
  const { patienceMs = PATIENCE_MS } = control;
  const { call: ask, close } = openControl(control, Math.min(timeoutMs, LONGEST_ANSWER_MS), hide);
  const shown = new Set<string>();
  const show = (key: string): void => {
    if (!shown.has(key)) onShown(key);
    shown.add(key);
  };
  return {
    ...faultsOf(ask),
    patienceMs,
    close,
    requests: async (key) => {
      const records = recordsIn(await ask('GET', `${REQUESTS}?idempotencyKey=${encodeURIComponent(key)}`));
      if (records.length > 0 && records.every(({ state }) => state !== 'running')) show(key);
      return records;
    },
    hasShown: (key) => shown.has(key),
    balance: async () => balanceIn(await ask('GET', WORKSPACE)),
    release: (requestId) => release(ask, requestId),
  };
}

function faultsOf(ask: ControlCall): Pick<Deployment, 'arm' | 'triggerCount' | 'disarm' | 'isArmed'> {
  let isArmed = false;
  return {
    isArmed: () => isArmed,
    arm: async (rule) => {
      // Before it is asked for: whether an unanswered request has armed something, nobody knows.
      isArmed = true;
      await arm(ask, rule).catch((error: unknown) => {
        if (error instanceof ControlError && error.kind !== 'unknown') isArmed = false;
        throw error;
      });
    },
    triggerCount: async () => firedIn(await ask('GET', FAULTS)),
    disarm: async () => {
      await ask('DELETE', FAULTS);
      isArmed = false;
    },
  };
}

function arm(ask: ControlCall, rule: FaultRule): Promise<JsonValue> {
  return ask('PUT', FAULTS, [{ ...rule, match: { endpoint: 'chat' }, times: 1, ttl: RULE_LIVES_MS }]);
}

async function release(ask: ControlCall, requestId: string): Promise<void> {
  try {
    await ask('POST', `${REQUESTS}/${encodeURIComponent(requestId.toWellFormed())}/resolution`, {
      outcome: 'failed',
    });
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
  }
}

function listIn(body: JsonValue, name: string, path: string): readonly JsonValue[] {
  const list = isJsonObject(body) ? body[name] : undefined;
  if (Array.isArray(list)) return list;
  throw unexpectedAnswer(path);
}

function firedIn(body: JsonValue): number {
  const counts = listIn(body, 'rules', FAULTS).map((rule) => {
    const fired = isJsonObject(rule) ? rule['fired'] : undefined;
    if (isWholeNumber(fired)) return fired;
    throw unexpectedAnswer(FAULTS);
  });
  return counts.reduce((sum, fired) => sum + fired, 0);
}

function recordsIn(body: JsonValue): readonly WorkspaceRequest[] {
  return listIn(body, 'requests', REQUESTS).map((element) => {
    const record = readWorkspaceRequest(element);
    if (record !== undefined) return record;
    throw unexpectedAnswer(REQUESTS);
  });
}

function balanceIn(body: JsonValue): Balance {
  const balance = readBalance(body);
  if (balance !== undefined) return balance;
  throw unexpectedAnswer(WORKSPACE);
}
