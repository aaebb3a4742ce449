import type { JsonObject, JsonValue } from '../../../fixtures/chats/chat.ts';
import { isJsonObject } from '../reading/json.ts';
import { isText } from '../reading/names.ts';
import type { WorkspaceRequest } from '../model/deployment.ts';
import { isWholeNumber } from './is-whole-number.ts';

const STATES = ['running', 'succeeded', 'failed', 'under_review'] as const;
const RESERVATION_STATES = ['held', 'consumed', 'released', 'under_review'] as const;

/** One element of the list of requests; undefined when it is not as the control protocol has it. */
export function readWorkspaceRequest(value: JsonValue): WorkspaceRequest | undefined {
  if (!isJsonObject(value)) return undefined;
  const { requestId, debit } = value;
  const state = STATES.find((known) => known === value['state']);
  const reservation = readReservation(value['reservation']);
  if (!isText(requestId) || state === undefined || reservation === undefined) return undefined;
  if (debit !== null && !isWholeNumber(debit)) return undefined;
  return { requestId, state, reservation, debit, ...readUsage(value), ...readFinishReason(value) };
}

/** Undefined: wrong; null: there is none. */
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

function readFinishReason({ finishReason }: JsonObject): Pick<WorkspaceRequest, 'finishReason'> {
  return isText(finishReason) ? { finishReason } : {};
}
