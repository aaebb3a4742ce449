import { refusedUnlikeCounterpart } from '../engine/inputs/judging/is-refused.ts';
import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check } from '../engine/model/check.ts';
import type { Draft, Answer } from '../engine/model/exchange.ts';
import { HOLDS } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, isSuccess } from '../engine/reading/answers.ts';
import { isEventStream } from '../engine/reading/errors/disposition.ts';
import { readJson } from '../engine/reading/json.ts';

const PATH = '/responses';

/** Uses of the Responses API: create, stream, read, delete and list responses, and send its body as a chat. */
const responsesApi = requestStimulus({
  name: 'responses-api',
  stage: 'free',
  cappedCount: 5,
  fixedCount: 4,
  inputs: (info) => ({ examples: responsesDrafts(info) }),
  requests: (draft, info) => ({ counterpart: chatDraft(smallestChat(info)), refused: [draft] }),
});

function responsesDrafts(info: TargetInfo): readonly Draft[] {
  const body = { model: info.models[0].id, input: 'Hi.', max_output_tokens: info.outputTokens };
  return [
    chatDraft(body, { path: PATH }),
    chatDraft({ ...body, stream: true }, { path: PATH }),
    { method: 'GET', path: `${PATH}/resp_0` },
    chatDraft(body),
    { method: 'DELETE', path: `${PATH}/resp_0`, idempotencyKey: 'none' },
    { method: 'GET', path: PATH },
  ];
}

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
