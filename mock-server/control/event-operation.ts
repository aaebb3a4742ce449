import { z } from 'zod';
import { closedObject, emptyObject } from '../world/closed-object.ts';
import { EventStream } from './event-stream.ts';
import { ControlError, OpenAnswer, operation } from './operation.ts';

const follow = operation({
  name: 'followRequests',
  method: 'GET',
  path: '/events',
  about: 'mock',
  summary:
    'Streams the journals of all sandboxes: an event `request` with the whole entry whenever one arrives or changes, `worlds` with the sandboxes there are, and `controlled` when something was changed over this API. With the header Last-Event-ID, or `after`, it begins with what changed since',
  query: closedObject({
    after: z.string().exactOptional().describe('ID of the last event that was seen'),
  }),
  body: emptyObject,
  status: 200,
  media: 'text/event-stream',
  answer: z.string(),
  run({ sandboxes, query: { after }, lastEventId }) {
    const { feed } = sandboxes;
    if (feed === undefined) throw new ControlError(404, 'no_journal', 'This mock keeps no journal');
    return new OpenAnswer((response) =>
      new EventStream(sandboxes, feed, response, lastEventId ?? after).start(),
    );
  },
});

export const EVENT_OPERATIONS = [follow];
