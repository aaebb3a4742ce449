import { LARGEST, FAULTS, type FaultName } from './fault-catalogue.ts';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import type { Endpoint } from '../protocol/request.ts';
import { FaultPlanError } from './fault-plan-error.ts';
import {
  type Fields,
  readBoolean,
  readChoice,
  readFields,
  readInteger,
  readString,
  refuseOtherFields,
} from './plan-fields.ts';
import type { Match } from './rule.ts';

const MATCH_FIELDS = ['endpoint', 'model', 'stream', 'key', 'nth'];
const ENDPOINT_NAMES = Object.keys(ENDPOINTS).filter(isEndpoint);

function isEndpoint(name: string): name is Endpoint {
  return Object.hasOwn(ENDPOINTS, name);
}

/**
 * What a rule is for. A model or `stream` means completions; a fault that strikes completions or streams only says so
 * itself. Throws a FaultPlanError for a fault that can never meet such a request.
 */
export function compileMatch(rule: Fields, name: FaultName): Match {
  const path = [...rule.path, 'match'];
  const fields = readFields(rule.values['match'] ?? {}, path, 'What the rule is for');
  refuseOtherFields(fields, MATCH_FIELDS, 'a match');
  const { appliesTo: strikes } = FAULTS[name];
  const stream = readBoolean(fields, 'stream');
  if (strikes === 'streams' && stream === false)
    throw new FaultPlanError([...path, 'stream'], `${name} strikes streams only`);
  const model = readString(fields, 'model');
  const isForChat = strikes !== 'any' || model !== undefined || stream !== undefined;
  const endpoint = compileEndpoint(fields, isForChat, name);
  const key = readString(fields, 'key');
  const nth = readInteger(fields, 'nth', { minimum: 1, maximum: LARGEST });
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(model !== undefined && { model }),
    ...(key !== undefined && { key }),
    ...(strikes === 'streams' ? { stream: true } : stream !== undefined && { stream }),
    ...(nth !== undefined && { nth }),
  };
}

function compileEndpoint(fields: Fields, isForChat: boolean, name: FaultName): Endpoint | undefined {
  const endpoint = readChoice(fields, 'endpoint', ENDPOINT_NAMES);
  if (!isForChat) return endpoint;
  if (endpoint === undefined || endpoint === 'chat') return 'chat';
  throw new FaultPlanError([...fields.path, 'endpoint'], `only chat is possible for this match of ${name}`);
}
