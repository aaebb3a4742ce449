import { ENDPOINTS } from '../../fixtures/chats/chat.ts';
import { byEnd, notServed } from '../engine/inputs/judging/is-served.ts';
import { observationsOf } from '../engine/inputs/judging/observations.ts';
import { getStimulus } from '../engine/inputs/provoking/listed-models.ts';
import { check, type Judged, type Judgement } from '../engine/model/check.ts';
import type { Answer } from '../engine/model/exchange.ts';
import { HOLDS, notExercised, violated, observed, type Ruling } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, isMissingStatus } from '../engine/reading/answers.ts';
import { describeAnswer } from '../engine/reading/errors/disposition.ts';
import { readJson } from '../engine/reading/json.ts';
import { type VisionReading, readVision } from '../engine/reading/models/read-vision.ts';

/** How to make an answer of unknown shape readable: only a list can be pinned. */
const PIN_VISION =
  'pin "vision.list" in a profile, or say there which models have vision ("models": { ID: { "vision": true } })';

function judgeVisionAnswer(
  judge: (reading: VisionReading, answer: Answer, info: TargetInfo) => Ruling,
): Judgement {
  return ({ exchanges: [exchange] }, info) => {
    const elsewhere = notServed(exchange, info);
    if (elsewhere) return elsewhere;
    const listed = info.models.map(({ id }) => id);
    return judge(readVision(answerOf(exchange), info.profile, listed), answerOf(exchange), info);
  };
}

const visionAnswer = getStimulus('vision-answer', ENDPOINTS.vision, ['primary']);

/** A key without any vision model gets an answer too. */
const visionAnswers = getStimulus('vision-answers', ENDPOINTS.vision, ['primary', 'second']);

export const visionAnswersGet = check({
  id: 'vision-answers-get',
  clauses: ['VIS-1'],
  title: 'answers an authorized GET of the vision capabilities without a request body',
  given: visionAnswers,
  holds: ({ exchanges: [exchange] }, info) =>
    byEnd(exchange, info, {
      served: HOLDS,
      otherwise: (received) => violated('not-answered', 'an answer with the vision capabilities', received),
    }),
});

export const visionCanBeAsked = check({
  id: 'vision-can-be-asked',
  clauses: ['SVC-3'],
  title: 'says whether image input is available',
  given: visionAnswer,
  holds: (trial, info) => missingEndpoint(trial, info) ?? saysWhether(trial, info),
});

const SAYS = 'an answer that says whether image input is available';

/** Where nothing answers, nothing can be asked. */
function missingEndpoint({ exchanges: [exchange] }: Judged, info: TargetInfo): Ruling | undefined {
  if (!isMissingStatus(answerOf(exchange).status)) return undefined;
  return violated('no-endpoint', SAYS, describeAnswer(exchange, info));
}

const saysWhether: Judgement = judgeVisionAnswer((reading, answer) => {
  if (reading.kind !== 'unrecognised') return HOLDS;
  const body = readJson(answer);
  const saysNothing = answer.body.length === 0 || (body.kind === 'json' && body.value === null);
  if (saysNothing) return violated('says-nothing', SAYS, 'an empty answer');
  return notExercised(reading.reason, PIN_VISION);
});

export const visionShape = check({
  id: 'vision-shape',
  clauses: ['VIS-3'],
  title: 'chooses the shape of the vision answer',
  given: visionAnswer,
  holds: judgeVisionAnswer((reading, _, { profile }) => {
    const list = reading.kind === 'by-model' ? reading.pointer : undefined;
    const seen = observationsOf({ 'vision.shape': shapeOf(reading), 'vision.list': list }, profile);
    if (reading.kind === 'unrecognised' && seen.length === 0) return notExercised(reading.reason, PIN_VISION);
    return observed(...seen);
  }),
});

function shapeOf(reading: VisionReading): string | undefined {
  if (reading.kind === 'unrecognised') return undefined;
  return reading.kind === 'flag' ? 'flag' : reading.shape;
}
