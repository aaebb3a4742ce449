import { z } from 'zod';

import type { VirtualClock } from '../time/clock.ts';
import { closedObject, NOTHING } from '../world/closed-object.ts';
import { ControlError } from './control-error.ts';
import { operation } from './operation.ts';
import { clockAnswer, describeClock, describeWorld, worldAnswer } from './world-answer.ts';

/** RFC 3339 has no later year. */
const LATEST = Date.UTC(9999, 11, 31);

function advance(time: VirtualClock, ms: number): void {
  if (time.now() + ms > LATEST)
    throw new ControlError(400, 'invalid_value', 'The year 9999 is the last one', '/advance');
  time.advance(ms);
}

const describe = operation({
  name: 'describeWorld',
  method: 'GET',
  path: '',
  about: 'world',
  summary: 'How to call this world, and how to control it',
  query: NOTHING,
  body: NOTHING,
  status: 200,
  answer: worldAnswer,
  run: ({ sandbox, origin }) => describeWorld(sandbox, origin),
});

const reset = operation({
  name: 'reset',
  method: 'POST',
  path: '/reset',
  about: 'world',
  summary: "Puts a world back to its beginning; on the mock's own, every sandbox is deleted too",
  query: NOTHING,
  body: NOTHING,
  status: 204,
  answer: z.undefined(),
  run({ sandboxes, sandbox }) {
    if (sandbox.id === null) sandboxes.reset();
    else sandbox.reset();
  },
});

const readClock = operation({
  name: 'readClock',
  method: 'GET',
  path: '/clock',
  about: 'world',
  summary: 'What time it is in this world',
  query: NOTHING,
  body: NOTHING,
  status: 200,
  answer: clockAnswer,
  run: ({ sandbox }) => describeClock(sandbox),
});

const moveClock = operation({
  name: 'moveClock',
  method: 'POST',
  path: '/clock',
  about: 'world',
  summary: 'Puts the clock forward, stops it, or lets it run with the real time',
  query: NOTHING,
  body: closedObject({
    advance: z.int().min(0).exactOptional().describe('Milliseconds'),
    freeze: z
      .union(
        [z.literal(true), z.iso.datetime({ offset: true })],
        'true or an RFC 3339 instant is needed here',
      )
      .exactOptional(),
    real: z.literal(true).exactOptional(),
  }).refine((body) => Object.keys(body).length === 1, 'One of advance, freeze and real is needed here'),
  status: 200,
  answer: clockAnswer,
  run({ sandbox, body }) {
    const { time } = sandbox.service;
    if (body.advance !== undefined) advance(time, body.advance);
    else if (body.freeze === undefined) time.run();
    else time.freeze(body.freeze === true ? undefined : Date.parse(body.freeze));
    return describeClock(sandbox);
  },
});

export const WORLD_OPERATIONS = [describe, reset, readClock, moveClock];
