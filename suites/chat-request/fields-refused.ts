import { interleave } from '../../fixtures/chats/combinations.ts';
import type { Variation } from '../../fixtures/chats/variation.ts';
import { toolCalls } from '../../fixtures/invalid/tool-calls.ts';
import { unknownFields } from '../../fixtures/invalid/unknown-fields.ts';
import {
  wrongMaxTokens,
  wrongMessages,
  wrongModel,
  wrongStream,
  wrongTemperature,
} from '../../fixtures/invalid/wrong-fields.ts';
import {
  type ProviderParameter,
  PROVIDER_PARAMETERS,
} from '../../fixtures/parameters/provider-parameters.ts';
import { refusedUnlikeCounterpart, refuses } from '../engine/inputs/judging/is-refused.ts';
import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { refusals } from '../engine/inputs/provoking/refusal-stimulus.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check } from '../engine/model/check.ts';
import type { Draft, Answer } from '../engine/model/exchange.ts';
import { HOLDS } from '../engine/model/ruling.ts';
import { answerOf, isSuccess } from '../engine/reading/answers.ts';
import { isEventStream } from '../engine/reading/errors/disposition.ts';
import { readJson } from '../engine/reading/json.ts';

const PARAMETERS = new Map(PROVIDER_PARAMETERS.map((parameter) => [`/${parameter.name}`, parameter]));

const isKnownElsewhere = ({ place }: Variation): boolean => PARAMETERS.has(place);
const isUnheardOf = ({ place }: Variation): boolean => !PARAMETERS.has(place);

export const knownParameterRefused = refuses('REQ-6', {
  id: 'known-parameter-refused',
  title: 'refuses a parameter that other providers accept',
  decides: 'refuses known parameters',
  given: refusals({
    name: 'known-parameters',
    cappedCount: 17,
    // Those that most SDKs send, and one of another provider.
    fixedCount: 15,
    examples: (base, others) =>
      familiesInTurns(unknownFields.examples(base, others).filter(isKnownElsewhere)),
    arbitrary: (bases) => unknownFields.arbitrary(bases).filter(isKnownElsewhere),
  }),
});

export const unheardOfFieldRefused = refuses('REQ-6', {
  id: 'unheard-of-field-refused',
  title: 'refuses an unknown field, even one whose name resembles a known one',
  decides: 'refuses unheard-of fields',
  given: refusals({
    name: 'unheard-of-fields',
    cappedCount: 10,
    fixedCount: 8,
    examples: (base, others) => unknownFields.examples(base, others).filter(isUnheardOf),
    arbitrary: (bases) => unknownFields.arbitrary(bases).filter(isUnheardOf),
  }),
});

/** Orders the families so that a short run tries most of what clients send, and one of nine of other providers. */
function familiesInTurns(variations: readonly Variation[]): readonly Variation[] {
  const [proper, rest] = [variations.filter(isProper), variations.filter((each) => !isProper(each))];
  const of = (family: ProviderParameter['family']): readonly Variation[] =>
    proper.filter(({ place }) => PARAMETERS.get(place)?.family === family);
  const convention = [0, 1, 2, 3, 4, 5, 6, 7].map((turn) =>
    of('convention').filter((_, i) => i % 8 === turn),
  );
  // Tool calls have a check of their own.
  return [...interleave(...convention, of('provider')), ...of('tool-calls'), ...rest];
}

/** Whether the parameter has its usual value, not an empty one. */
function isProper({ place, mutant }: Variation): boolean {
  const parameter = PARAMETERS.get(place);
  return parameter !== undefined && mutant[parameter.name] === parameter.value;
}

export const toolCallsRefused = refuses('SVC-5', {
  id: 'tool-calls-refused',
  title: 'refuses everything that belongs to tool calls',
  given: refusals({ name: 'tool-calls', cappedCount: 10, fixedCount: 8, ...toolCalls }),
});

const TYPED = 'the table of fields gives the type';

export const wrongModelRefused = refuses('REQ-1', {
  id: 'wrong-model-refused',
  title: 'refuses a request whose model is missing or not a string',
  given: refusals({ name: 'wrong-model', cappedCount: 5, fixedCount: 5, ...wrongModel }),
});

export const wrongMessagesRefused = refuses('REQ-2', {
  id: 'wrong-messages-refused',
  title: 'refuses a request whose messages are missing, not an array, or contain anything but messages',
  given: refusals({ name: 'wrong-messages', cappedCount: 10, fixedCount: 10, ...wrongMessages }),
});

export const wrongTemperatureRefused = refuses('REQ-3', {
  id: 'wrong-temperature-refused',
  title: 'refuses a temperature that is not a number',
  because: TYPED,
  given: refusals({ name: 'wrong-temperature', cappedCount: 4, fixedCount: 4, ...wrongTemperature }),
});

export const wrongMaxTokensRefused = refuses('REQ-4', {
  id: 'wrong-max-tokens-refused',
  title: 'refuses a max_tokens that is not an integer',
  because: TYPED,
  given: refusals({ name: 'wrong-max-tokens', cappedCount: 4, fixedCount: 4, ...wrongMaxTokens }),
});

export const wrongStreamRefused = refuses('REQ-5', {
  id: 'wrong-stream-refused',
  title: 'refuses a stream that is neither true nor false',
  because: TYPED,
  given: refusals({ name: 'wrong-stream', cappedCount: 5, fixedCount: 5, ...wrongStream }),
});

const PATH = '/responses';

/** Uses of the Responses API: create, stream, read, delete and list responses; a chat sent to it, and its body sent as a chat. */
const responsesApi = requestStimulus<Draft>({
  name: 'responses-api',
  stage: 'free',
  cappedCount: 6,
  fixedCount: 5,
  inputs: (info) => {
    const body = { model: info.models[0].id, input: 'Hi.', max_output_tokens: info.outputTokens };
    return {
      examples: [
        chatDraft(body, { path: PATH }),
        chatDraft(smallestChat(info), { path: PATH }),
        chatDraft({ ...body, stream: true }, { path: PATH }),
        { method: 'GET', path: `${PATH}/resp_0` },
        chatDraft(body),
        { method: 'DELETE', path: `${PATH}/resp_0`, idempotencyKey: 'none' },
        { method: 'GET', path: PATH },
      ],
    };
  },
  requests: (draft, info) => ({ counterpart: chatDraft(smallestChat(info)), refused: [draft] }),
});

export const responsesApiAbsent = check({
  id: 'responses-api-absent',
  clauses: ['SVC-6'],
  title: 'serves neither the paths nor the request bodies of the Responses API',
  given: responsesApi,
  holds: (trial, info) => {
    const ruling = refusedUnlikeCounterpart(trial, info, 'the Responses API is not supported');
    // A router may answer every unknown path with the same web page.
    return ruling.kind !== 'not-exercised' && isPage(answerOf(trial.exchanges[0])) ? HOLDS : ruling;
  },
});

/** A successful HTML page is not an API response. */
function isPage(answer: Answer): boolean {
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)\b/i.test(answer.headers['content-type'] ?? '');
  return isSuccess(answer) && isHtml && readJson(answer).kind === 'no-json' && !isEventStream(answer);
}
