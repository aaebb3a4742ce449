import type { JsonValue } from '../../fixtures/chats/chat.ts';
import { check } from '../kit/model/check.ts';
import { findStreamText } from '../kit/reading/streams/find-stream-text.ts';
import type { Profile } from '../kit/model/profile.ts';
import { isEventStreamType, readStream } from '../kit/reading/streams/read-stream.ts';
import { HOLDS, notExercised, violated } from '../kit/model/ruling.ts';
import { clientStream } from './client-stimuli.ts';
import { ofServedClient } from './judge-client.ts';

export const clientStreams = check({
  id: 'client-streams',
  clauses: ['VER-2'],
  title: 'gives the tested client a stream from which it reads the whole text',
  given: clientStream,
  holds: ofServedClient((seen, answer, survey) => {
    if (!isEventStreamType(answer)) return notExercised('no event stream came: see STR-1');
    const text = readStream(answer, survey).text?.text;
    if (text === undefined) return notExercised('no text was recognised in the stream: see STR-3');
    const read = textOf(seen, survey.profile);
    return read === text
      ? HOLDS
      : violated('other-text', JSON.stringify(text), JSON.stringify(read) ?? 'nothing');
  }),
});

/** The framing is not shown (STR-5): the client hands events on, and the text is found in them as in the bytes. */
function textOf(seen: JsonValue, profile: Profile): string | undefined {
  const events = Array.isArray(seen) ? seen : [];
  return findStreamText(
    events.map((json: JsonValue) => ({ name: undefined, data: JSON.stringify(json), json, at: 0 })),
    profile,
  )?.text;
}
