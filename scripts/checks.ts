// What declares a check of one's own: docs/checks.md.

export { ownCheck as check, type OwnCheckDeclaration } from '../suites/engine/model/check.ts';
export type { Check, Judgement } from '../suites/engine/model/check.ts';
export {
  type Inputs,
  type Sender,
  type Stimulus,
  stimulus,
  type Trial,
} from '../suites/engine/model/stimulus.ts';
export type { Cost } from '../suites/engine/model/stimulus.ts';
export type { Draft, Exchange, Answer } from '../suites/engine/model/exchange.ts';
export type { Deployment } from '../suites/engine/model/deployment.ts';
export type { ListedModel, TargetInfo } from '../suites/engine/model/target.ts';

export { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../suites/engine/model/ruling.ts';
export { refusedUnlikeCounterpart } from '../suites/engine/inputs/judging/is-refused.ts';
export { isServed, notServed } from '../suites/engine/inputs/judging/is-served.ts';

export { chatDraft, chatSettings, smallestChat } from '../suites/engine/inputs/provoking/chat-drafts.ts';
export { getStimulus } from '../suites/engine/inputs/provoking/listed-models.ts';
export { refusals, type RefusalDeclaration } from '../suites/engine/inputs/provoking/refusal-stimulus.ts';

export { answerOf, isSuccess, sentChat } from '../suites/engine/reading/answers.ts';
export { type JsonReading, readJson } from '../suites/engine/reading/json.ts';
export {
  type CompletionReading,
  readCompletion,
} from '../suites/engine/reading/completions/read-completion.ts';
export { readStream, type StreamReading } from '../suites/engine/reading/streams/read-stream.ts';
export { type ErrorReading, readError } from '../suites/engine/reading/errors/read-error.ts';
export {
  describeAnswer,
  type Disposition,
  dispositionOf,
} from '../suites/engine/reading/errors/disposition.ts';
export { type ModelsReading, readListing } from '../suites/engine/reading/models/read-models.ts';
