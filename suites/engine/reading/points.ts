import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import { isJsonObject } from './json.ts';
import { isCount, isText, normalizeName, type Point, words } from './locate.ts';

// What answers hold at places that the specification leaves open, and the names that software uses.

const namesIn = (text: string): ReadonlySet<string> => new Set(words(text));

const FINISH_NAMES = words(`
  finishreason stopreason donereason endreason finishedreason stoppingreason completionreason
  terminationreason reasonfinished
`);

/**
 * Why the first choice finished (RES-3). `status` is missing on purpose: it may be the status of the whole answer.
 */
export const FINISH_REASON: Point = {
  pins: ['response.finish_reason'],
  in: ['/choices/0', '/choices/0/message', '/choices/0/delta', ''],
  names: [
    ...FINISH_NAMES,
    ...words('finishdetails finishtype finish stoptype endedby reason completionstatus'),
  ],
  anywhere: FINISH_NAMES,
  others: namesIn(`
    id object type model choices created createdat timestamp requestid traceid systemfingerprint servicetier
    provider usage tokenusage usagemetadata index message delta text logprobs role content refusal annotations
    audio toolcalls functioncall reasoning reasoningcontent name warnings promptlogprobs
  `),
  accepts: isReason,
};

/** A word, an enumeration value, or an object with details. */
function isReason(value: JsonValue): value is JsonValue {
  if (isText(value) || typeof value === 'number') return true;
  return isJsonObject(value) && Object.keys(value).length > 0 && !isResult(value);
}

/** Whether a value is a whole response, choice or event. */
function isResult(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { choices, message, delta } = value;
  return Array.isArray(choices) || [message, delta].some(isJsonObject);
}

/** Members of a response whose numbers are certainly not usage. */
const OTHER_NUMBERS = namesIn(`
  created createdat timestamp time index logprobs promptlogprobs id version seed latency latencyms duration
  durationms elapsed elapsedms status code n content text model systemfingerprint
`);

/** The object, or the number, that reports usage (RES-4). */
export const USAGE: Point = {
  pins: ['response.usage'],
  in: ['', '/choices/0', '/meta', '/metadata'],
  names: words(`
    usage tokenusage usagemetadata usageinfo usagestats tokens tokencounts tokencount tokensused usedtokens
    consumption metering billing metrics stats cost credits
  `),
  anywhere: words('usage tokenusage usagemetadata usageinfo usagestats'),
  others: OTHER_NUMBERS,
  accepts: (value): value is JsonValue => hasNumber(value, MOST_LEVELS) && !isResult(value),
};

const MOST_LEVELS = 5;

/** Whether there is any number, or text of digits, that may be usage. */
function hasNumber(value: JsonValue, levels: number): boolean {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value))) return true;
  if (typeof value !== 'object' || value === null || levels === 0) return false;
  return Object.entries<JsonValue>(value).some(
    ([name, inner]) => !OTHER_NUMBERS.has(normalizeName(name)) && hasNumber(inner, levels - 1),
  );
}

/** The counts of a usage (RES-6). */
export const COUNTS = {
  input: {
    pins: ['response.usage.input'],
    in: [''],
    names: words(`
      prompttokens inputtokens prompttokencount inputtokencount prompttokenscount tokensin promptevalcount
      ntokensprompt numprompttokens numinputtokens prompt input in input/tokens
    `),
    accepts: isCount,
  },
  output: {
    pins: ['response.usage.output'],
    in: [''],
    names: words(`
      completiontokens outputtokens completiontokencount outputtokencount candidatestokencount generatedtokens
      tokensout evalcount numcompletiontokens numoutputtokens completion output generated out output/tokens
    `),
    accepts: isCount,
  },
  total: {
    pins: ['response.usage.total'],
    in: [''],
    names: words('totaltokens totaltokencount tokenstotal totaltokenscount total tokens tokencount all sum'),
    accepts: isCount,
  },
} as const satisfies Record<string, Point<number>>;

const TEXT_NAMES = words(`
  content text delta token outputtext generatedtext completion output response answer message chunk value piece
`);

/** A piece of the text in an event of a stream (STR-5). */
export const STREAM_TEXT: Point<string> = {
  pins: ['stream.text'],
  in: ['/choices/0/delta', '/choices/0/message', '/choices/0', '/delta', ''],
  names: TEXT_NAMES,
  anywhere: TEXT_NAMES,
  accepts: isText,
};

const CODE_NAMES = words(`
  code errorcode errcode codename type errortype kind slug key reason name error title statuscode status errno
`);
const MESSAGE_NAMES = words(`
  message msg errormessage errormsg errmsg description errordescription detail details explanation text reason
  title error
`);

/** Names of members of an error that are a code, a message, or neither of these and no request ID. */
const OTHER_ERROR_MEMBERS: ReadonlySet<string> = new Set([
  ...CODE_NAMES,
  ...MESSAGE_NAMES,
  ...words(`
    param parameter field property pointer path location loc line column position docurl docsurl documentation
    documentationurl helpurl help hint link href url timestamp time date createdat created retryafter severity
    level method object domain service version apiversion model stack target scope limit input given received
    expected actual value values allowed success ok
  `),
]);

/** The items of an error object (ERR-1), which is at `in`. */
export const ERROR_CODE: Point<string | number> = {
  pins: ['error.code'],
  in: [''],
  names: CODE_NAMES,
  anywhere: words('code errorcode errcode'),
  accepts: isCodeOrId,
};

export const ERROR_MESSAGE: Point = {
  pins: ['error.message'],
  in: [''],
  names: MESSAGE_NAMES,
  anywhere: words('message msg errormessage errormsg'),
  accepts: isMessage,
};

/** Names that say that they are the ID of a request. */
export const SURE_REQUEST_ID_NAMES: readonly string[] = words(
  'requestid xrequestid reqid requestuuid requestref requestreference',
);

const REQUEST_ID_NAMES = [
  ...SURE_REQUEST_ID_NAMES,
  ...words(`
    request/id traceid correlationid trackingid errorid incidentid eventid logid operationid invocationid
    transactionid activityid rayid rid cid trace/id
  `),
];

export const REQUEST_ID: Point<string | number> = {
  pins: ['error.request_id'],
  in: [''],
  names: [...REQUEST_ID_NAMES, ...words('uuid guid id ref reference instance')],
  anywhere: REQUEST_ID_NAMES,
  others: OTHER_ERROR_MEMBERS,
  accepts: isCodeOrId,
};

/** Whether a value can be a code or an ID: a non-empty text, or a number. */
export function isCodeOrId(value: JsonValue): value is string | number {
  return typeof value === 'number' || isFilled(value);
}

/** Whether a value can be a message: a non-empty text, or a list of such texts. */
export function isMessage(value: JsonValue): value is JsonValue {
  return Array.isArray(value) ? value.length > 0 && value.every(isFilled) : isFilled(value);
}

function isFilled(value: JsonValue): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** The ID of a model in its record (MOD-3). */
export const MODEL_ID: Point<string> = {
  pins: ['models.id'],
  in: [''],
  names: words('id model modelid name slug modelname key identifier model/id model/name'),
  accepts: isText,
};
