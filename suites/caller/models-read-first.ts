import type { JsonValue } from '../../fixtures/chats/chat.ts';
import { isImagePart } from '../engine/inputs/judging/request-violations.ts';
import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { readVision } from '../engine/reading/models/read-vision.ts';
import { failedChats, isAfter, mayHaveCrossed, messagesOf, partsOf } from './chats.ts';
import { numbered, violatedBy } from './evidence.ts';
import { type CallerCheck, judgingEach, worstOf } from './judge-caller.ts';
import type { Chat, Timeline, TimelineRequest } from './timeline.ts';

/** The successful answers of these endpoints of the service. */
function answersOf({ requests }: Timeline, ...endpoints: readonly unknown[]): readonly TimelineRequest[] {
  return requests.filter(
    ({ place, status, endpoint }) => place === 'service' && status === 200 && endpoints.includes(endpoint),
  );
}

const EXPECTED_MODEL = 'a model ID that the models endpoint returned';
const UNREAD = notExercised(
  'the caller did not ask the models endpoint: nothing shows where it got the model ID',
);

function judgeModel(chat: Chat, timeline: Timeline): Ruling {
  const model = chat.fields?.['model'];
  // Both endpoints name models. In a list of any shape, an ID is a JSON string.
  const lists = answersOf(timeline, 'models', 'vision').filter((list) => isAfter(chat, list));
  const isListed = lists.some(({ answer }) => answer.includes(JSON.stringify(model)));
  const isGiven = model === timeline.givenModel;
  if (!isListed && !isGiven) {
    const actual = `${JSON.stringify(model)}, which it had not returned`;
    const isSure = timeline.secretModels || chat.outcome === 'unknown-model';
    return isSure ? violatedBy(chat, 'unlisted-model', EXPECTED_MODEL, actual) : UNREAD;
  }
  const refused = failedChats(timeline, 'unknown-model').filter(
    (one) =>
      one.fields?.['model'] === model && isAfter(chat, one) && !lists.some((list) => isAfter(list, one)),
  );
  const known = refused.find((one) => one.work === chat.work || !mayHaveCrossed(timeline, chat, one));
  if (known !== undefined) {
    const actual = `the model that was refused for ${numbered(known)}, without reading the list again`;
    return violatedBy(chat, 'refused-model', EXPECTED_MODEL, actual);
  }
  if (refused.length > 0)
    return inconclusive(`${numbered(chat)} may have been sent before its model was refused`);
  return isListed ? HOLDS : UNREAD;
}

export const listedModelsOnly: CallerCheck = {
  id: 'listed-models-only',
  clauses: ['CALL-5'],
  title: 'uses only model IDs from the models endpoint, and reads them again after one was refused',
  judge: judgingEach(
    ({ atService }) => atService.filter(({ fields }) => typeof fields?.['model'] === 'string'),
    'it sent no chat completion',
    judgeModel,
  ),
};

/** Whether an answer of the vision endpoint says that a model takes no images. */
function takesNone({ answer }: TimelineRequest, model: JsonValue | undefined): boolean {
  const whole = { status: 200, headers: {}, body: Buffer.from(answer), pieces: [], headersAt: 0, endedAt: 0 };
  const id = typeof model === 'string' ? model : '';
  const reading = readVision(whole, {}, [id]);
  if (reading.kind === 'flag') return !reading.available;
  return reading.kind === 'by-model' && reading.vision.get(id) === false;
}

function judgeImage(timeline: Timeline, chat: Chat): Ruling {
  const asked = answersOf(timeline, 'vision').findLast((answer) => isAfter(chat, answer));
  if (asked === undefined) {
    const expected = 'an answer of the vision endpoint before the image';
    return violatedBy(chat, 'not-asked', expected, 'an image, without asking the vision endpoint first');
  }
  if (!takesNone(asked, chat.fields?.['model'])) return HOLDS;
  const allowed = 'images only for models that take them according to the vision endpoint';
  return violatedBy(chat, 'not-heeded', allowed, 'an image for a model that takes none');
}

export const visionAskedFirst: CallerCheck = {
  id: 'vision-asked-first',
  clauses: ['VIS-2'],
  title: 'asks the vision endpoint before it sends an image, and follows the answer',
  judge: (timeline) => {
    const sent = timeline.atService.filter(({ fields }) =>
      messagesOf(fields).flatMap(partsOf).some(isImagePart),
    );
    // Where no model takes images, a caller that asked and sends none has heeded the answer.
    const isHeeded =
      timeline.items.some(({ image }) => image !== undefined) &&
      answersOf(timeline, 'vision').some(({ answer }) => !/\btrue\b/.test(answer));
    const unsent = isHeeded ? HOLDS : notExercised('it sent no image');
    return worstOf(sent.map((chat) => judgeImage(timeline, chat))) ?? unsent;
  },
};
