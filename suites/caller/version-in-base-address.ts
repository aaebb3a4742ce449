import { HOLDS, notExercised, type Ruling } from '../kit/model/ruling.ts';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import type { CallerCheck } from './caller-check.ts';
import { violatedBy } from './rulings.ts';
import { endpointAsked, pathOf } from './seen-chats.ts';
import type { Timeline } from './timeline.ts';

function judge(timeline: Timeline): Ruling {
  const asked = timeline.requests.flatMap((request) => {
    const endpoint = endpointAsked(request);
    return endpoint === undefined || request.place === 'elsewhere' ? [] : [{ request, endpoint }];
  });
  // A slash at the end says nothing of what the path begins with.
  const astray = asked.find(
    ({ request, endpoint }) => pathOf(request).replace(/\/+$/, '') !== `/v1${ENDPOINTS[endpoint]}`,
  );
  if (astray !== undefined) {
    const expected = `/v1${ENDPOINTS[astray.endpoint]}`;
    return violatedBy(timeline, astray.request, 'wrong-base', expected, pathOf(astray.request));
  }
  return asked.length === 0 ? notExercised('no endpoint was asked') : HOLDS;
}

export const versionInBaseAddress: CallerCheck = {
  id: 'version-in-base-address',
  clauses: ['CALL-7'],
  title: 'appends the endpoints to a base address that ends in the version',
  judge,
};
