import type { Chosen } from '../answers/compile-answers.ts';
import { type Identity, idsOf } from '../exchange/identity.ts';
import { toUtf8, type Answer, jsonAnswer } from '../protocol/answer.ts';
import type { Clock } from '../time/clock.ts';
import type { Work } from '../workspace/ledger.ts';
import type { ResponseChoices } from '../world/world.ts';
import type { AcceptedChat } from './accept-chat.ts';
import { generateChosen } from './chosen-answer.ts';
import { type Generation, generate } from './generate.ts';

/** What a model has completed, before it is written as an answer. */
export interface Completion extends Generation {
  readonly id: string;
  /** The model's ID as JSON in UTF-8. */
  readonly modelJson: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly inputTokens: number;
  /** Absent: these are the model's own words. */
  readonly chosen?: Chosen | undefined;
}

/** Writes a whole completion as the body of its answer, in UTF-8. */
export type WriteCompletion = (completion: Completion) => string;

export interface CompletionService {
  readonly clock: Clock;
  readonly writeCompletion: WriteCompletion;
  readonly writeEventStream: WriteCompletion;
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
const UNCACHED: readonly string[] = ['cache-control', 'no-cache'];

/** What the model generates for a chat: the same for the same seed and body. */
export function completeChat(
  { clock }: Pick<CompletionService, 'clock'>,
  { modelId, inputTokens, allowedTokens, chosen }: AcceptedChat,
  { word, completionId }: Identity,
): Completion {
  const created = Math.floor(clock() / 1000);
  return {
    id: completionId,
    modelJson: jsonUtf8(modelId),
    created,
    inputTokens,
    chosen,
    ...generateWords(word, allowedTokens, chosen),
  };
}

function generateWords(word: number, allowedTokens: number, chosen: Chosen | undefined): Generation {
  return chosen === undefined ? generate(word, allowedTokens) : generateChosen(chosen, word, allowedTokens);
}

/** Throws for a completion that must not be sent (STR-3). Called before anything is sent. */
export function assertEmittable({ text, tokens, chosen }: Completion, allowedTokens: number): void {
  if (chosen?.isUnchecked === true) return;
  if (text === '' && allowedTokens > 0) throw new Error('The completion is empty');
  if (tokens > allowedTokens)
    throw new Error(`The completion has ${tokens} tokens, and ${allowedTokens} are allowed`);
}

/** The answer with a completion: one JSON object, or an event stream. */
export function answerWith(
  { writeCompletion, writeEventStream }: CompletionService,
  { stream }: Pick<AcceptedChat, 'stream'>,
  requestId: string,
  completion: Completion,
): Answer {
  const answer = stream
    ? eventStreamAnswer(requestId, writeEventStream(completion))
    : jsonAnswer(requestId, writeCompletion(completion));
  const { chosen } = completion;
  return chosen === undefined ? answer : { ...answer, headers: [...answer.headers, ...chosen.headers] };
}

function eventStreamAnswer(requestId: string, body: string): Answer {
  return { status: 200, requestId, contentType: EVENT_STREAM, body, headers: UNCACHED };
}

/** What an answer is written from again: the seed gives its text, so that a stored key costs little memory. */
export interface KeptCompletion {
  /** Of its request, for the IDs. */
  readonly digest: string;
  readonly word: number;
  readonly modelId: string;
  readonly stream: boolean;
  readonly created: number;
  readonly inputTokens: number;
  readonly allowedTokens: number;
  readonly chosen?: Chosen;
}

/** Everything of a completion that the seed does not give again. */
export function keptCompletion(
  { modelId, model, stream, allowedTokens, chosen }: AcceptedChat,
  { digest, word }: Identity,
  { created, inputTokens }: Completion,
): KeptCompletion {
  // The world's own string: that of the request would be kept once for each key.
  const sharedId = model.id === modelId ? model.id : modelId;
  const kept = { digest, word, modelId: sharedId, stream, created, inputTokens, allowedTokens };
  return chosen === undefined ? kept : { ...kept, chosen };
}

/** The same answer, byte by byte, as was given first. */
export function answerAgain(service: CompletionService, kept: KeptCompletion): Answer {
  const { digest, word, modelId, stream, allowedTokens, ...rest } = kept;
  const { requestId, completionId: id } = idsOf(digest);
  const words = generateWords(word, allowedTokens, rest.chosen);
  const completion = { ...rest, id, modelJson: jsonUtf8(modelId), ...words };
  return answerWith(service, { stream }, requestId, completion);
}

/** What the debit of a completion is for. */
export function workOf({ inputTokens, tokens, finishReason }: Completion): Work {
  return { inputTokens, outputTokens: tokens, finishReason };
}

/**
 * Writes a completion as JSON (RES-1 to RES-4), with the world's names for what the specification leaves open. From a
 * template: the text is the only part that is escaped for every completion.
 */
export function createWriteCompletion(choices: ResponseChoices): WriteCompletion {
  const { finishReasonField, finishReasonPlace, extraFields } = choices;
  const finish = `,${jsonUtf8(finishReasonField)}:`;
  const extra = Object.entries(extraFields)
    .map(([name, value]) => `,${jsonUtf8(name)}:${jsonUtf8(value)}`)
    .join('');
  const writeUsage = createWriteUsage(choices);
  return (completion) => {
    const { id, created, modelJson, text, finishReason } = completion;
    const reason = `${finish}${jsonUtf8(finishReason)}`;
    const [inChoice, atRoot] = finishReasonPlace === 'choice' ? [reason, ''] : ['', reason];
    return [
      `{"id":"${id}","object":"chat.completion","created":${created},"model":${modelJson},"choices":[`,
      `{"index":0,"message":{"role":"assistant","content":`,
      JSON.stringify(text),
      `}${inChoice}}]${atRoot},`,
      writeUsage(completion),
      `${extra}}`,
    ].join('');
  };
}

/** Writes the usage member of a completion, or of the last chunk of a stream. */
export function createWriteUsage(choices: ResponseChoices): (completion: Completion) => string {
  const usage = jsonUtf8(choices.usageField);
  const input = jsonUtf8(choices.inputTokensField);
  const output = jsonUtf8(choices.outputTokensField);
  const total = jsonUtf8(choices.totalTokensField);
  return ({ inputTokens, tokens }) =>
    `${usage}:{${input}:${inputTokens},${output}:${tokens},${total}:${inputTokens + tokens}}`;
}

export function jsonUtf8(value: string | number | boolean | null): string {
  return toUtf8(JSON.stringify(value));
}
