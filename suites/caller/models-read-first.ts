import type { JsonValue } from '../../fixtures/chats/chat.ts';
import { isImagePart } from '../kit/judging/request-violations.ts';
import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import { isJsonObject } from '../kit/reading/json.ts';
import { readVision } from '../kit/reading/models/read-vision.ts';
import { type CallerCheck, worstOf } from './judge-caller.ts';
import { chatOf, chatsAtService, endpointAsked, isAfter } from './observed/chats.ts';
import { numbered, violatedBy } from './observed/evidence.ts';
import { mayHaveCrossed } from './observed/in-flight.ts';
import { perTimeline, type Timeline, type TimelineRequest } from './observed/timeline.ts';
import { sameWork } from './observed/work.ts';

/** The successful answers of the service's models or vision endpoint. */
function answersOf({ requests }: Timeline, endpoints: readonly string[]): readonly TimelineRequest[] {
  return requests.filter((request) => {
    const endpoint = endpointAsked(request);
    const isOne = endpoint !== undefined && endpoints.includes(endpoint);
    return isOne && request.place === 'service' && request.status === 200;
  });
}

/** Both endpoints name models. */
const listings = perTimeline((timeline): readonly TimelineRequest[] =>
  answersOf(timeline, ['models', 'vision']),
);

/** In a list of any shape, an ID is a JSON string. */
function names({ answer }: TimelineRequest, model: string): boolean {
  return answer.includes(JSON.stringify(model));
}

function isUnknownModel({ outcome }: TimelineRequest): boolean {
  return outcome.kind === 'refused' && outcome.why === 'unknown-model';
}

/** The chats whose model was refused, by model. */
const refusedModels = perTimeline((timeline) =>
  Map.groupBy(chatsAtService(timeline).filter(isUnknownModel), (chat) => chatOf(chat)?.['model']),
);

/** The refusals of this model after which the caller did not read the list again. */
function refusedBefore(timeline: Timeline, chat: TimelineRequest): readonly TimelineRequest[] {
  const refused = refusedModels(timeline).get(chatOf(chat)?.['model']) ?? [];
  return refused.filter(
    (other) =>
      isAfter(chat, other) && !listings(timeline).some((list) => isAfter(list, other) && isAfter(chat, list)),
  );
}

const EXPECTED_MODEL = 'a model ID that the models endpoint returned';

function judgeRefused(
  timeline: Timeline,
  chat: TimelineRequest,
  refused: readonly TimelineRequest[],
): Ruling {
  const known = refused.find(
    (one) => sameWork(timeline, one, chat) !== undefined || !mayHaveCrossed(timeline, chat, one),
  );
  if (known === undefined)
    return inconclusive(`${numbered(chat)} may have been sent before its model was refused`);
  const actual = `the model that was refused for ${numbered(known)}, without reading the list again`;
  return violatedBy(timeline, chat, 'refused-model', EXPECTED_MODEL, actual);
}

function judgeModel(timeline: Timeline, chat: TimelineRequest, model: string): Ruling {
  const isListed = listings(timeline).some((list) => isAfter(chat, list) && names(list, model));
  const refused = refusedBefore(timeline, chat);
  if (refused.length > 0 && (isListed || model === timeline.givenModel))
    return judgeRefused(timeline, chat, refused);
  if (isListed) return HOLDS;
  if (model === timeline.givenModel)
    return notExercised(
      'it did not ask the models endpoint, and used the model that its configuration names',
    );
  if (timeline.secretModels || isUnknownModel(chat)) {
    const actual = `${JSON.stringify(model)}, which it had not returned`;
    return violatedBy(timeline, chat, 'unlisted-model', EXPECTED_MODEL, actual);
  }
  return notExercised('the caller did not ask the models endpoint: nothing shows where it got the model ID');
}

function judgeModels(timeline: Timeline): Ruling {
  const rulings = chatsAtService(timeline).flatMap((chat) => {
    const model = chatOf(chat)?.['model'];
    return typeof model === 'string' ? [judgeModel(timeline, chat, model)] : [];
  });
  if (rulings.length === 0) return notExercised('it sent no chat completion');
  return worstOf(rulings.filter(({ kind }) => kind !== 'holds')) ?? HOLDS;
}

export const listedModelsOnly: CallerCheck = {
  id: 'listed-models-only',
  clauses: ['CALL-5'],
  title: 'uses only model IDs from the models endpoint, and reads them again after one was refused',
  judge: judgeModels,
};

function partsOf(message: JsonValue): readonly JsonValue[] {
  const content = isJsonObject(message) ? message['content'] : undefined;
  return Array.isArray(content) ? content : [];
}

function bearsImage(request: TimelineRequest): boolean {
  const messages = chatOf(request)?.['messages'];
  return Array.isArray(messages) && messages.flatMap(partsOf).some(isImagePart);
}

/** Whether an answer of the vision endpoint says that a model takes images; undefined if it does not say. */
function takesImages({ answer }: TimelineRequest, model: JsonValue | undefined): boolean | undefined {
  const whole = { status: 200, headers: {}, body: Buffer.from(answer), pieces: [], headersAt: 0, endedAt: 0 };
  const reading = readVision(whole, {});
  if (reading.kind === 'flag') return reading.available ? undefined : false;
  return reading.kind === 'by-model' && typeof model === 'string' ? reading.vision.get(model) : undefined;
}

function judgeImage(timeline: Timeline, chat: TimelineRequest): Ruling {
  const expected = 'an answer of the vision endpoint before the image';
  const asked = answersOf(timeline, ['vision']).findLast((answer) => isAfter(chat, answer));
  if (asked === undefined)
    return violatedBy(timeline, chat, 'not-asked', expected, 'an image, and no such answer before it');
  if (takesImages(asked, chatOf(chat)?.['model']) !== false) return HOLDS;
  const allowed = 'images only for models that take them according to the vision endpoint';
  return violatedBy(timeline, chat, 'not-heeded', allowed, 'an image for a model that takes none');
}

function judgeVision(timeline: Timeline): Ruling {
  const rulings = chatsAtService(timeline)
    .filter(bearsImage)
    .map((chat) => judgeImage(timeline, chat));
  const worst = rulings.find(({ kind }) => kind === 'violated') ?? rulings[0];
  if (worst !== undefined) return worst;
  if (!timeline.items.some(({ image }) => image)) return notExercised('it sent no image');
  const [asked] = answersOf(timeline, ['vision']);
  if (asked === undefined) return notExercised('it sent no image, and did not ask the vision endpoint');
  return /\btrue\b/.test(asked.answer)
    ? notExercised('it asked the vision endpoint, and sent no image although a model takes them')
    : HOLDS;
}

export const visionAskedFirst: CallerCheck = {
  id: 'vision-asked-first',
  clauses: ['VIS-2'],
  title: 'asks the vision endpoint before it sends an image, and heeds the answer',
  judge: judgeVision,
};
