import type { JsonObject, JsonValue } from '../../../fixtures/chats/chat.ts';
import type { Balance, Control, Deployment, FaultRule, WorkspaceRequest } from '../model/deployment.ts';
import type { Transport } from '../model/exchange.ts';
import { isJsonObject } from '../reading/json.ts';
import { isText } from '../reading/locate.ts';
import {
  type ControlCall,
  ControlError,
  type Hide,
  openControl,
  unexpectedAnswer,
} from './control-connection.ts';

const FAULTS = '/faults';
const REQUESTS = '/requests';
const WORKSPACE = '/workspace';

/** A rule that is never disarmed, because the run was killed, expires after this. */
const RULE_TTL_MS = 60_000;

const PATIENCE_MS = 10_000;

/**
 * Speaks the control protocol (docs/control-protocol.md). `hide` takes secrets out of its words; `onShown` is
 * called once for each Idempotency-Key whose requests the workspace shows as ended.
 */
export function openDeployment(
  control: Control,
  transport: Transport,
  hide: Hide,
  onShown: (idempotencyKey: string) => void = () => {},
): Deployment {
  const { patienceMs = PATIENCE_MS } = control;
  const call = openControl(control, transport, hide);
  const shown = new Set<string>();
  const show = (key: string): void => {
    if (!shown.has(key)) onShown(key);
    shown.add(key);
  };
  return {
    ...faultsOf(call),
    patienceMs,
    close: transport.close,
    requests: async (key) => {
      const body = await call('GET', `${REQUESTS}?idempotencyKey=${encodeURIComponent(key)}`);
      const requests = requestsIn(body, hide);
      if (requests.length > 0 && requests.every(({ state }) => state !== 'running')) show(key);
      return requests;
    },
    hasShown: (key) => shown.has(key),
    balance: async () => balanceIn(await call('GET', WORKSPACE)),
    release: (requestId) => release(call, requestId),
  };
}

/** Disarms what is still armed. Returns why it could not, or undefined when nothing is armed any more. */
export async function disarmIfArmed(deployment: Deployment | undefined): Promise<string | undefined> {
  if (deployment?.isArmed() !== true) return undefined;
  try {
    await deployment.disarm();
    return undefined;
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    return `a fault may still be armed: ${error.message}`;
  }
}

function faultsOf(call: ControlCall): Pick<Deployment, 'arm' | 'triggerCount' | 'disarm' | 'isArmed'> {
  let isArmed = false;
  return {
    isArmed: () => isArmed,
    arm: async (rule) => {
      // Set before the call: a lost answer may have armed something.
      isArmed = true;
      await arm(call, rule).catch((error: unknown) => {
        if (error instanceof ControlError && error.kind !== 'unknown') isArmed = false;
        throw error;
      });
    },
    triggerCount: async () => triggerCountIn(await call('GET', FAULTS)),
    disarm: async () => {
      await call('DELETE', FAULTS);
      isArmed = false;
    },
  };
}

function arm(call: ControlCall, rule: FaultRule): Promise<JsonValue> {
  return call('PUT', FAULTS, [{ ...rule, match: { endpoint: 'chat' }, times: 1, ttl: RULE_TTL_MS }]);
}

async function release(call: ControlCall, requestId: string): Promise<void> {
  try {
    await call('POST', `${REQUESTS}/${encodeURIComponent(requestId.toWellFormed())}/resolution`, {
      outcome: 'failed',
    });
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
  }
}

function triggerCountIn(body: JsonValue): number {
  const counts = listIn(body, 'rules', FAULTS).map((rule) => {
    const fired = isJsonObject(rule) ? rule['fired'] : undefined;
    if (isWholeNumber(fired)) return fired;
    throw unexpectedAnswer(FAULTS);
  });
  return counts.reduce((sum, fired) => sum + fired, 0);
}

function requestsIn(body: JsonValue, hide: Hide): readonly WorkspaceRequest[] {
  return listIn(body, 'requests', REQUESTS).map((element) => {
    const request = readRequest(element, hide);
    if (request !== undefined) return request;
    throw unexpectedAnswer(REQUESTS);
  });
}

function listIn(body: JsonValue, name: string, path: string): readonly JsonValue[] {
  const list = isJsonObject(body) ? body[name] : undefined;
  if (Array.isArray(list)) return list;
  throw unexpectedAnswer(path);
}

const STATES = ['running', 'succeeded', 'failed', 'under_review'] as const;
const RESERVATION_STATES = ['held', 'consumed', 'released', 'under_review'] as const;

function readRequest(value: JsonValue, hide: Hide): WorkspaceRequest | undefined {
  if (!isJsonObject(value)) return undefined;
  const { requestId, debit } = value;
  const state = STATES.find((known) => known === value['state']);
  const reservation = readReservation(value['reservation']);
  if (!isText(requestId) || state === undefined || reservation === undefined) return undefined;
  if (debit !== null && !isWholeNumber(debit)) return undefined;
  return {
    requestId: hide(requestId),
    state,
    reservation,
    debit,
    ...readUsage(value),
    ...readFinishReason(value, hide),
  };
}

/** Undefined: breaks the protocol; null: no reservation. */
function readReservation(value: JsonValue | undefined): WorkspaceRequest['reservation'] | undefined {
  if (value === null) return null;
  if (value === undefined || !isJsonObject(value)) return undefined;
  const { credits } = value;
  const state = RESERVATION_STATES.find((known) => known === value['state']);
  return isWholeNumber(credits) && state !== undefined ? { credits, state } : undefined;
}

function readUsage({ usage }: JsonObject): Pick<WorkspaceRequest, 'usage'> {
  if (usage === undefined || !isJsonObject(usage)) return {};
  const { input, output } = usage;
  return isWholeNumber(input) && isWholeNumber(output) ? { usage: { input, output } } : {};
}

function readFinishReason({ finishReason }: JsonObject, hide: Hide): Pick<WorkspaceRequest, 'finishReason'> {
  return isText(finishReason) ? { finishReason: hide(finishReason) } : {};
}

/** The account of the primary key, or the only one. */
function balanceIn(body: JsonValue): Balance {
  const keys = isJsonObject(body) ? body['keys'] : undefined;
  const accounts = keys !== undefined && isJsonObject(keys) ? keys : {};
  const [only, ...others] = Object.values(accounts);
  const account = accounts['primary'] ?? (others.length === 0 ? only : undefined);
  const { available, held } = account !== undefined && isJsonObject(account) ? account : {};
  if (isWholeNumber(available) && isWholeNumber(held)) return { available, held };
  throw unexpectedAnswer(WORKSPACE);
}

/** A negative number is for judgements to notice. */
function isWholeNumber(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}
