import { CONVENTION_PARAMETERS } from '../../fixtures/parameters/provider-parameters.ts';
import { HOLDS, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { violatedBy } from './rulings.ts';
import { chatOf, chatsAtService } from './seen-chats.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

const FIELDS = ['model', 'messages', 'temperature', 'max_tokens', 'stream'];

/** Parameters by the names that other providers give them; whatever else stands in a query says nothing. */
function inQuery({ path }: TimelineRequest): readonly string[] {
  const query = path.includes('?') ? path.slice(path.indexOf('?')) : '';
  const names = [...new URLSearchParams(query).keys()];
  return names.filter((name) => /^api[-_]version$/.test(name) || Object.hasOwn(CONVENTION_PARAMETERS, name));
}

function judge(timeline: Timeline): Ruling {
  const chats = chatsAtService(timeline).filter((request) => chatOf(request) !== undefined);
  for (const request of chats) {
    const fields = Object.keys(chatOf(request) ?? {}).filter((name) => !FIELDS.includes(name));
    const extra = [...fields, ...inQuery(request).map((name) => `${name} in the query`)];
    if (extra.length > 0)
      return violatedBy(timeline, request, 'extra-field', `only ${FIELDS.join(', ')}`, extra.join(', '));
  }
  return chats.length === 0 ? notExercised('no completion was asked for in JSON') : HOLDS;
}

export const fiveFieldsOnly: CallerCheck = {
  id: 'five-fields-only',
  clauses: ['CALL-4'],
  title: 'sends the five fields of the specification and no parameter of another provider',
  judge,
};
