import type { JsonValue } from '../../fixtures/chats/chat.ts';
import { isImagePart } from '../kit/judging/request-violations.ts';
import { isJsonObject } from '../kit/reading/json.ts';
import { readVision } from '../kit/reading/models/read-vision.ts';
import { HOLDS, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { violatedBy } from './rulings.ts';
import { chatOf, chatsAtService, endpointAsked, isAfter } from './seen-chats.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

function partsOf(message: JsonValue): readonly JsonValue[] {
  const content = isJsonObject(message) ? message['content'] : undefined;
  return Array.isArray(content) ? content : [];
}

function bearsImage(request: TimelineRequest): boolean {
  const messages = chatOf(request)?.['messages'];
  return Array.isArray(messages) && messages.flatMap(partsOf).some(isImagePart);
}

function visionAnswers({ requests }: Timeline): readonly TimelineRequest[] {
  return requests.filter(
    (request) => endpointAsked(request) === 'vision' && request.place === 'service' && request.status === 200,
  );
}

/** Whether an answer of the vision endpoint says that a model takes images; undefined when it does not say. */
function saysOf({ answer }: TimelineRequest, model: JsonValue | undefined): boolean | undefined {
  const whole = { status: 200, headers: {}, body: Buffer.from(answer), pieces: [], headersAt: 0, endedAt: 0 };
  const reading = readVision(whole, {});
  if (reading.kind === 'flag') return reading.available ? undefined : false;
  return reading.kind === 'by-model' && typeof model === 'string' ? reading.vision.get(model) : undefined;
}

function judgeImage(timeline: Timeline, chat: TimelineRequest): Ruling {
  const expected = 'an answer of the vision endpoint before the image';
  const told = visionAnswers(timeline).findLast((asked) => isAfter(chat, asked));
  if (told === undefined)
    return violatedBy(timeline, chat, 'not-asked', expected, 'an image, and none before');
  const model = chatOf(chat)?.['model'];
  if (saysOf(told, model) !== false) return HOLDS;
  const allowed = 'images only for models that the vision endpoint says take them';
  return violatedBy(timeline, chat, 'not-heeded', allowed, 'an image for one that it says takes none');
}

function judge(timeline: Timeline): Ruling {
  const rulings = chatsAtService(timeline)
    .filter(bearsImage)
    .map((chat) => judgeImage(timeline, chat));
  const worst = rulings.find(({ kind }) => kind === 'violated') ?? rulings[0];
  if (worst !== undefined) return worst;
  const wished = timeline.items.some(({ image }) => image);
  if (!wished) return notExercised('no image was sent');
  const [asked] = visionAnswers(timeline);
  if (asked === undefined) return notExercised('no image was sent, and the vision endpoint was not asked');
  return /\btrue\b/.test(asked.answer)
    ? notExercised('the vision endpoint was asked, and no image was sent although one could be')
    : HOLDS;
}

export const visionAskedFirst: CallerCheck = {
  id: 'vision-asked-first',
  clauses: ['VIS-2'],
  title: 'asks the vision endpoint before it sends an image, and heeds the answer',
  judge,
};
