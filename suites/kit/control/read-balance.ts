import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import { isJsonObject } from '../reading/json.ts';
import type { Balance } from '../model/deployment.ts';
import { isWholeNumber } from './is-whole-number.ts';

/** The credits behind the primary key; undefined when the answer is not as the control protocol has it. */
export function readBalance(body: JsonValue): Balance | undefined {
  const keys = isJsonObject(body) ? body['keys'] : undefined;
  if (keys === undefined || !isJsonObject(keys)) return undefined;
  const [only, ...others] = Object.values(keys);
  const account = keys['primary'] ?? (others.length === 0 ? only : undefined);
  if (account === undefined || !isJsonObject(account)) return undefined;
  const { available, held } = account;
  return isWholeNumber(available) && isWholeNumber(held) ? { available, held } : undefined;
}
