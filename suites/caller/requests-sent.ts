import { CHAT_FIELDS, ENDPOINTS, type JsonValue } from '../../fixtures/chats/chat.ts';
import { CONVENTION_PARAMETERS, MESSAGE_PARAMETERS } from '../../fixtures/parameters/provider-parameters.ts';
import { isImagePart } from '../engine/inputs/judging/request-violations.ts';
import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { isJsonObject } from '../engine/reading/json.ts';
import { readVision } from '../engine/reading/models/read-vision.ts';
import { failedChats, isAfter, mayHaveCrossed, messagesOf, partsOf, pathOf } from './chats.ts';
import { numbered, violatedBy } from './evidence.ts';
import { type CallerCheck, judgingEach, NOTHING_SENT, worstOf } from './judge-caller.ts';
import type { Chat, Timeline, TimelineRequest } from './timeline.ts';

/** Parameters by the names that other providers give them; anything else in a query is not a parameter. */
function inQuery({ path }: Chat): readonly string[] {
  const query = path.includes('?') ? path.slice(path.indexOf('?')) : '';
  const names = [...new URLSearchParams(query).keys()];
  return names.filter((name) => /^api[-_]version$/.test(name) || Object.hasOwn(CONVENTION_PARAMETERS, name));
}

/** The names of provider parameters in a message or part: what else a message may have is an open point (MSG-6). */
function parametersIn(value: JsonValue): readonly string[] {
  return isJsonObject(value) ? Object.keys(value).filter((name) => MESSAGE_PARAMETERS.has(name)) : [];
}

/** What a chat has beyond the five fields. */
function extrasOf(chat: Chat): readonly string[] {
  const messages = messagesOf(chat.fields);
  const parts = messages.flatMap(partsOf);
  const extras = [
    ...Object.keys(chat.fields ?? {}).filter((name) => !CHAT_FIELDS.includes(name)),
    ...messages.flatMap(parametersIn).map((name) => `${name} in a message`),
    ...parts.flatMap(parametersIn).map((name) => `${name} in a part`),
    ...inQuery(chat).map((name) => `${name} in the query`),
  ];
  return [...new Set(extras)];
}

export const fiveFieldsOnly: CallerCheck = {
  id: 'five-fields-only',
  clauses: ['CALL-4'],
  title: 'sends only the five fields of the specification, and no parameter of another provider',
  judge: judgingEach(
    ({ atService }) => atService.filter(({ fields }) => fields !== undefined),
    'it sent no chat completion in JSON',
    (chat) => {
      const extras = extrasOf(chat).join(', ');
      return extras === ''
        ? HOLDS
        : violatedBy(chat, 'extra-field', `only the fields ${CHAT_FIELDS.join(', ')}`, extras);
    },
  ),
};

export const versionInBaseAddress: CallerCheck = {
  id: 'version-in-base-address',
  clauses: ['CALL-7'],
  title: 'uses a base address that ends in the version segment',
  judge: judgingEach(
    ({ requests }) => requests.filter(({ place, endpoint }) => place === 'service' && endpoint !== undefined),
    'it called no endpoint',
    (request) => {
      const [path, expected] = [pathOf(request), `/v1${ENDPOINTS[request.endpoint ?? 'chat']}`];
      return path === expected ? HOLDS : violatedBy(request, 'wrong-base', expected, path);
    },
  ),
};

/** What a server adds to a request that it passes on. */
const FORWARDED = /^(?:forwarded|via|x-forwarded-(?:for|host|proto)|x-real-ip)$/;

/**
 * A browser asks first whether a page of another site may send Authorization. Only a server that passes on such a
 * request sends Authorization with it.
 */
function isPreflightForKey({ method, headers, credential }: TimelineRequest): boolean {
  const { 'access-control-request-headers': asked = '' } = headers;
  const asksForKey = method === 'OPTIONS' && /(?:^|,)\s*authorization\s*(?:,|$)/i.test(asked);
  return asksForKey && credential === 'none' && !Object.keys(headers).some((name) => FORWARDED.test(name));
}

const EXPECTED_KEY = 'the key only in a header, from a server, to this service';
const UNEXPOSED = notExercised(
  'no request exposed the key; where else it is kept cannot be seen from outside',
);

/** Another header with the key, to the service itself, shows it to nobody else. */
function judgeExposure(request: TimelineRequest): Ruling {
  const isElsewhere = request.place === 'elsewhere';
  const where = request.keyIn.find((each) => isElsewhere || !each.startsWith('the header '));
  if (where !== undefined) return violatedBy(request, 'key-shown', EXPECTED_KEY, `the key in ${where}`);
  if (isElsewhere && request.credential === "the service's")
    return violatedBy(request, 'key-given-away', EXPECTED_KEY, 'the key sent to another provider');
  if (!isPreflightForKey(request)) return UNEXPOSED;
  return violatedBy(request, 'key-in-browser', EXPECTED_KEY, 'a browser asks whether it may send it');
}

export const keyOnServerSide: CallerCheck = {
  id: 'key-on-server-side',
  clauses: ['AUTH-3'],
  title: 'exposes its key in no address, body or browser, and to no other provider',
  judge: judgingEach(({ requests }) => requests, NOTHING_SENT, judgeExposure),
};

function answersOf({ requests }: Timeline, ...endpoints: readonly unknown[]): readonly TimelineRequest[] {
  return requests.filter(
    ({ place, status, endpoint }) => place === 'service' && status === 200 && endpoints.includes(endpoint),
  );
}

/** Where a caller got the model ID of a chat: both endpoints name models. In a list of any shape, an ID is a JSON string. */
function sourceOf(chat: Chat, timeline: Timeline): 'list' | 'configuration' | 'unknown' {
  const model = chat.fields?.['model'];
  const lists = answersOf(timeline, 'models', 'vision').filter((list) => isAfter(chat, list));
  if (lists.some(({ answer }) => answer.includes(JSON.stringify(model)))) return 'list';
  return model === timeline.givenModel ? 'configuration' : 'unknown';
}

function judgeModel(chat: Chat, timeline: Timeline): Ruling {
  const source = sourceOf(chat, timeline);
  if (source === 'list') return HOLDS;
  const isSure = timeline.secretModels || chat.outcome === 'unknown-model';
  if (source === 'configuration' || !isSure)
    return notExercised(
      'the caller did not ask the models endpoint: nothing shows where it got the model ID',
    );
  const actual = `${JSON.stringify(chat.fields?.['model'])}, which it had not returned`;
  return violatedBy(chat, 'unlisted-model', 'a model ID that the models endpoint returned', actual);
}

export const listedModelsOnly: CallerCheck = {
  id: 'listed-models-only',
  clauses: ['CALL-5'],
  title: 'uses only model IDs from the models endpoint',
  decides: 'uses listed models',
  judge: judgingEach(
    ({ atService }) => atService.filter(({ fields }) => typeof fields?.['model'] === 'string'),
    'it sent no chat completion',
    judgeModel,
  ),
};

function judgeAfterRefusal(refused: Chat, timeline: Timeline): Ruling {
  const lists = answersOf(timeline, 'models', 'vision').filter((list) => isAfter(list, refused));
  const unread = timeline.atService.filter(
    (chat) =>
      chat.fields?.['model'] === refused.fields?.['model'] &&
      isAfter(chat, refused) &&
      !lists.some((list) => isAfter(chat, list)),
  );
  const known = unread.find((chat) => chat.work === refused.work || !mayHaveCrossed(timeline, chat, refused));
  if (known !== undefined) {
    const actual = `the model that was refused for ${numbered(refused)}, without reading the list again`;
    const expected = `the models endpoint checked after ${numbered(refused)}, as the specification requires (Errors)`;
    return violatedBy(known, 'refused-model', expected, actual);
  }
  const [crossed] = unread;
  if (crossed === undefined) return HOLDS;
  return inconclusive(`${numbered(crossed)} may have been sent before its model was refused`);
}

/** A model ID that no list returned is judged by `listedModelsOnly` alone, however often it is refused. */
export const modelsReadAgain: CallerCheck = {
  id: 'models-read-again',
  clauses: ['CALL-5'],
  title: 'reads the models endpoint again before it uses a refused model again',
  decides: 'reads the models again after a refusal',
  judge: judgingEach(
    (timeline) =>
      failedChats(timeline, 'unknown-model').filter((chat) => sourceOf(chat, timeline) !== 'unknown'),
    'no model was refused that was listed or configured',
    judgeAfterRefusal,
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
