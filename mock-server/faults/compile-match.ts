import type { Endpoint } from '../protocol/request.ts';
import type { Step } from '../protocol/service-error.ts';
import { FAULTS } from './catalogue/fault-catalogue.ts';
import type { ParsedRule } from './rule-schema.ts';
import { FaultPlanError, type Match } from './rule.ts';

type Matching = Pick<ParsedRule, 'fault' | 'match'>;

/** A model or `stream` restricts a rule to completions. A fault of completions or of streams restricts it too. */
export function compileMatch(rule: Matching, path: readonly Step[]): Match {
  const { fault, match } = rule;
  const { appliesTo } = FAULTS[fault];
  if (appliesTo === 'streams' && match.stream === false)
    throw new FaultPlanError([...path, 'match', 'stream'], `${fault} applies to streams only`);
  const { model, key } = match;
  const isForChat = appliesTo !== 'any' || match.model !== undefined || match.stream !== undefined;
  const endpoint: Endpoint | undefined = isForChat ? 'chat' : match.endpoint;
  if (isForChat && match.endpoint !== undefined && match.endpoint !== 'chat')
    throw new FaultPlanError(
      [...path, 'match', 'endpoint'],
      `only chat is possible for this match of ${fault}`,
    );
  const stream = appliesTo === 'streams' ? true : match.stream;
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(model !== undefined && { model }),
    ...(stream !== undefined && { stream }),
    ...(key !== undefined && { key }),
    ...(fault === 'slow_accept' ? firstOfConnection(rule, path) : position(rule, path)),
  };
}

/** Which of the matching requests: a count of all of them, or for each key or connection. */
function position({ match: { nth, every, per } }: Matching, path: readonly Step[]): Match {
  if (nth !== undefined && every !== undefined)
    throw new FaultPlanError([...path, 'match', 'every'], 'cannot be combined with nth');
  return {
    ...(nth !== undefined && { nth }),
    ...(every !== undefined && { every }),
    ...(per !== undefined && { per }),
  };
}

const FIRST = { nth: 1, per: 'connection' } as const;

function firstOfConnection({ fault, match }: Matching, path: readonly Step[]): Match {
  const { nth = FIRST.nth, per = FIRST.per, every } = match;
  if (nth === FIRST.nth && per === FIRST.per && every === undefined) return FIRST;
  throw new FaultPlanError([...path, 'match'], `${fault} is for the first request of each connection`);
}
