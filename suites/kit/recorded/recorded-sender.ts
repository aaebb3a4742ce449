import type { Draft } from '../model/draft.ts';
import type { Exchange, SentRequest } from '../model/exchange.ts';
import type { RecordedTrial } from '../journal/recording.ts';
import type { Sender } from '../model/stimulus.ts';
import { recordedDraft } from './recorded-draft.ts';

/**
 * Sends the recorded requests of a trial in place of what a stimulus drafts, so that the stimulus says in which order,
 * how many at once and with which fault armed, and the record says which bytes.
 */
export function recordedSender(sender: Sender, recorded: RecordedTrial, record: readonly Exchange[]): Sender {
  const sent = requestsOf(recorded, record);
  const twins = twinsOf(recorded);
  return {
    ...sender,
    send: (draft) => sender.send(inPlaceOf(draft, sent.shift())),
    provoke: (draft) => sender.provoke(inPlaceOf(draft, sent.shift())),
    control: (draft) => sender.control(inPlaceOf(draft, twins.shift())),
  };
}

function inPlaceOf(draft: Draft, request: SentRequest | undefined): Draft {
  return request === undefined ? draft : recordedDraft(request, draft);
}

/** In the order in which they left; one that went out again for its rate counts once. */
function requestsOf({ entry }: RecordedTrial, record: readonly Exchange[]): SentRequest[] {
  const positions = record.flatMap(({ id, request }) => {
    const [before, position] = splitAtLast(id, '/');
    return before === entry.id && /^\d+$/.test(position) ? [{ position: Number(position), request }] : [];
  });
  return positions.toSorted((a, b) => a.position - b.position).map(({ request }) => request);
}

function splitAtLast(text: string, separator: string): readonly [string, string] {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The accepted twins in the order in which they were asked for: the control before what it is a twin of. */
function twinsOf({ trial: { control, exchanges } }: RecordedTrial): SentRequest[] {
  const all = new Set(control === undefined ? exchanges : [control, ...exchanges]);
  return [...all].filter(({ id }) => id.startsWith('control/')).map(({ request }) => request);
}
