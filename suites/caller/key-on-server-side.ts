import { notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { violatedBy } from './rulings.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

/** What only a browser sends. Node's fetch sends Sec-Fetch-Mode too, so that says nothing. */
function browserSign({ method, headers }: TimelineRequest): string | undefined {
  if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined)
    return 'the preflight request of a browser';
  return ['origin', 'sec-fetch-site', 'sec-fetch-dest'].find((name) => headers[name] !== undefined);
}

/** Another header that goes to the service itself shows the key to nobody. */
function placeShown({ place, keyIn }: TimelineRequest): string | undefined {
  return keyIn.find((where) => place === 'elsewhere' || !where.startsWith('the header '));
}

function exposure(timeline: Timeline, request: TimelineRequest): Ruling | undefined {
  const expected = 'the key in a header alone, from a server, to this service';
  const place = placeShown(request);
  if (place !== undefined) return violatedBy(timeline, request, 'key-shown', expected, `the key in ${place}`);
  if (request.place === 'elsewhere' && request.credential === 'foreign')
    return violatedBy(timeline, request, 'key-given-away', expected, 'the key sent to another provider');
  const sign = browserSign(request);
  if (sign === undefined) return undefined;
  return violatedBy(timeline, request, 'key-in-browser', expected, `a browser's request (${sign})`);
}

function judge(timeline: Timeline): Ruling {
  for (const request of timeline.requests) {
    const ruling = exposure(timeline, request);
    if (ruling !== undefined) return ruling;
  }
  return notExercised('nothing gave the key away here; where else it is kept nothing outside can see');
}

export const keyOnServerSide: CallerCheck = {
  id: 'key-on-server-side',
  clauses: ['AUTH-3'],
  title: 'shows its key in no address, body or browser, and to nobody else',
  judge,
};
