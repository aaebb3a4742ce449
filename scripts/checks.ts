// What declares a check of one's own: docs/checks.md.

export { ownCheck as check, type OwnCheckDeclaration } from '../suites/kit/model/check.ts';
export type { Check, Judgement } from '../suites/kit/model/check.ts';
export {
  type Inputs,
  type Sender,
  type Stimulus,
  stimulus,
  type Trial,
} from '../suites/kit/model/stimulus.ts';
export type { Cost } from '../suites/kit/model/stimulus.ts';
export type { Draft, Exchange, Answer } from '../suites/kit/model/exchange.ts';
export type { Deployment } from '../suites/kit/model/deployment.ts';
export type { ListedModel, TargetInfo } from '../suites/kit/model/target.ts';

export { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../suites/kit/model/ruling.ts';
export { refusedUnlikeCounterpart } from '../suites/kit/judging/is-refused.ts';
export { isServed, notServed } from '../suites/kit/judging/is-served.ts';

export { chatDraft, chatSettings, smallestChat } from '../suites/kit/provoking/chat-drafts.ts';
export { getStimulus } from '../suites/kit/provoking/get-stimulus.ts';
export { refusals, type RefusalDeclaration } from '../suites/kit/provoking/refusal-stimulus.ts';

export { answerOf, isSuccess, sentChat } from '../suites/kit/reading/answers.ts';
export { type JsonReading, readJson } from '../suites/kit/reading/json.ts';
export { type CompletionReading, readCompletion } from '../suites/kit/reading/completions/read-completion.ts';
export { readStream, type StreamReading } from '../suites/kit/reading/streams/read-stream.ts';
export { type ErrorReading, readError } from '../suites/kit/reading/errors/read-error.ts';
export { describeAnswer, type Disposition, dispositionOf } from '../suites/kit/reading/errors/disposition.ts';
export { type ModelsReading, readListing } from '../suites/kit/reading/models/read-models.ts';
