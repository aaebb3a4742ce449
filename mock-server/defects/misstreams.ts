import type { Answer } from '../protocol/answer.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import { changing, type Fields, isFields } from './fields.ts';
import { changingChoices, isStream, misspells } from './misspells.ts';

const END = '\n\n';
const DATA = 'data: ';

/** Says other bytes in place of an event stream. */
export function misstreams(
  change: (body: string, answer: Answer, request: ReceivedRequest) => string,
): DefectHooks {
  return misspells(isStream, (answer, request) => ({
    ...answer,
    body: change(answer.body, answer, request),
  }));
}

/** Says other events in place of those of a stream; an event is its text without the empty line that ends it. */
export function misstreamsEvents(change: (events: readonly string[]) => readonly string[]): DefectHooks {
  return misstreams((body) => joined(change(eventsOf(body))));
}

/** Spells every chunk of a stream in another way; undefined leaves it out. */
export function misstreamsChunks(
  change: (chunk: Fields, request: ReceivedRequest) => Fields | undefined,
): DefectHooks {
  return misstreams((body, _, request) =>
    joined(
      eventsOf(body).flatMap((event) => {
        const chunk = chunkOf(event);
        if (chunk === undefined) return [event];
        const changed = change(chunk, request);
        return changed === undefined ? [] : [DATA + JSON.stringify(changed)];
      }),
    ),
  );
}

/** With the text of every chunk as `change` makes it. */
export function changingDeltas(chunk: Fields, change: (delta: Fields) => Fields): Fields {
  return changingChoices(chunk, (choice) =>
    changing(choice, 'delta', (delta) => (isFields(delta) ? change(delta) : delta)),
  );
}

export function eventsOf(body: string): readonly string[] {
  return body.split(END).filter((event) => event !== '');
}

export function joined(events: readonly string[]): string {
  return events.map((event) => event + END).join('');
}

/** The JSON of an event; undefined for the one that says that the stream ends. */
function chunkOf(event: string): Fields | undefined {
  const data = event.slice(event.indexOf(DATA) + DATA.length);
  if (!data.startsWith('{')) return undefined;
  const chunk: Fields = JSON.parse(data);
  return chunk;
}
