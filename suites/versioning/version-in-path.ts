import { ofEachEndpoint } from '../engine/inputs/judging/is-served.ts';
import { observeHeaders } from '../engine/inputs/judging/observations.ts';
import { endpointDrafts } from '../engine/inputs/provoking/chat-drafts.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check } from '../engine/model/check.ts';
import { HOLDS, notExercised, violated } from '../engine/model/ruling.ts';
import { answerOf, endpointOf, isMissingStatus } from '../engine/reading/answers.ts';
import { describeAnswer } from '../engine/reading/errors/disposition.ts';

/** Every endpoint under the base URL, which ends in the version segment (CALL-7). */
const versionedEndpoints = requestStimulus({
  name: 'versioned-endpoints',
  stage: 'paid',
  cappedCount: 3,
  firstCount: 3,
  inputs: (info) => ({ examples: endpointDrafts(info) }),
  requests: (draft) => ({ shared: [draft] }),
});

export const versionInPath = check({
  id: 'version-in-path',
  clauses: ['VER-1'],
  title: 'serves its three endpoints under the version prefix',
  decides: ofEachEndpoint((name) => `serves ${name} there`),
  given: versionedEndpoints,
  holds: ({ exchanges: [exchange] }, info) => {
    const { status } = answerOf(exchange);
    if (!isMissingStatus(status)) return HOLDS;
    const { method, path } = exchange.request;
    if (endpointOf(exchange.request) === 'vision')
      return notExercised('the endpoint is missing as a whole: see SVC-3 and VIS-1');
    return violated('not-there', `an endpoint at ${method} /v1${path}`, describeAnswer(exchange, info));
  },
});

export const versionHeadersShown = check({
  id: 'version-headers-shown',
  clauses: ['VER-3'],
  title: 'may report versions and deprecation in response headers',
  given: versionedEndpoints,
  holds: observeHeaders('versioning.headers', /version|deprecat|sunset/),
});
