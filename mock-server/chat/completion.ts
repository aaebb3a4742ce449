import { completionIdOf, type Identity, requestIdOf } from '../exchange/identity.ts';
import { type Answer, jsonAnswer } from '../protocol/answer.ts';
import type { Work } from '../workspace/ledger.ts';
import type { Choices, ResponseChoices, StreamChoices } from '../world/world.ts';
import type { AcceptedChat } from './accept-chat.ts';
import { generateChosen } from './chosen-answer.ts';
import { type Generation, generate } from './generate.ts';

/** All that determines an answer: the seed gives its text again, so that a stored key costs little memory. */
export interface Completion
  extends
    Pick<Identity, 'digest' | 'word'>,
    Pick<AcceptedChat, 'modelId' | 'stream' | 'inputTokens' | 'allowedTokens' | 'chosen'> {
  /** Seconds since 1970. */
  readonly created: number;
}

/** `now`: milliseconds since 1970. */
export function completionOf(
  { modelId, model, stream, inputTokens, allowedTokens, chosen }: AcceptedChat,
  { digest, word }: Identity,
  now: number,
): Completion {
  // The world's own string: that of the request would be kept once for each key.
  const ownId = model.id === modelId ? model.id : modelId;
  const created = Math.floor(now / 1000);
  return { digest, word, modelId: ownId, stream, created, inputTokens, allowedTokens, chosen };
}

/** What the model says: the same for the same seed and body. */
export function generationOf({ word, allowedTokens, chosen }: Completion): Generation {
  return chosen === undefined ? generate(word, allowedTokens) : generateChosen(chosen, word, allowedTokens);
}

/** What the debit of a completion is for. */
export function workOf({ inputTokens }: Completion, { tokens, finishReason }: Generation): Work {
  return { inputTokens, outputTokens: tokens, finishReason };
}

/** The answer with a completion: one JSON object, or an event stream. */
export function answerWith(choices: Choices, completion: Completion, generation: Generation): Answer {
  const { digest, stream, chosen } = completion;
  const requestId = requestIdOf(digest);
  const headers = Object.entries(chosen?.headers ?? {}).flat();
  if (!stream) {
    const whole = writeCompletion(choices.response, completion, generation);
    return { ...jsonAnswer(requestId, whole), headers };
  }
  return {
    status: 200,
    requestId,
    contentType: 'text/event-stream; charset=utf-8',
    headers: ['cache-control', 'no-cache', ...headers],
    body: writeEventStream(choices, completion, generation),
  };
}

/** A whole completion (RES-1 to RES-4), with the world's names for what the specification leaves open. */
export function writeCompletion(
  choices: ResponseChoices,
  completion: Completion,
  { text, tokens, finishReason }: Generation,
): object {
  const finish = { [choices.finishReasonField]: finishReason };
  const isInChoice = choices.finishReasonPlace === 'choice';
  return {
    ...headOf(completion, 'chat.completion'),
    choices: [{ index: 0, message: { role: 'assistant', content: text }, ...(isInChoice && finish) }],
    ...(!isInChoice && finish),
    ...usage(choices, completion, tokens),
    ...choices.extraFields,
  };
}

function headOf({ digest, created, modelId }: Completion, object: string): object {
  return { id: completionIdOf(digest), object, created, model: modelId };
}

function usage(choices: ResponseChoices, { inputTokens }: Completion, outputTokens: number): object {
  const { usageField, inputTokensField, outputTokensField, totalTokensField } = choices;
  return {
    [usageField]: {
      [inputTokensField]: inputTokens,
      [outputTokensField]: outputTokens,
      [totalTokensField]: inputTokens + outputTokens,
    },
  };
}

/** A whole completion as an event stream, from its first byte to its last (STR-1 to STR-3, STR-5). */
export function writeEventStream({ stream, response }: Choices, ...what: [Completion, Generation]): string {
  const newline = stream.newline === 'lf' ? '\n' : '\r\n';
  const comment = stream.comment === null ? '' : `: ${stream.comment}${newline}${newline}`;
  return (
    comment +
    datasOf(stream, response, ...what)
      .map((data) => event(stream, newline, data))
      .join('')
  );
}

function event({ eventName }: StreamChoices, newline: string, data: string): string {
  const name = eventName === null ? '' : `event: ${eventName}${newline}`;
  return `${name}data: ${data}${newline}${newline}`;
}

function datasOf(
  { framing, terminator }: StreamChoices,
  response: ResponseChoices,
  ...what: [Completion, Generation]
): readonly string[] {
  const bodies = framing === 'chunks' ? chunksOf(response, ...what) : [writeCompletion(response, ...what)];
  const written = bodies.map((body) => JSON.stringify(body));
  return terminator === null ? written : [...written, terminator];
}

/** The convention's chunks: the role, the text in pieces, the finish reason, and the usage beside no choice. */
function chunksOf(
  choices: ResponseChoices,
  completion: Completion,
  { text, tokens, finishReason }: Generation,
): readonly object[] {
  const head = headOf(completion, 'chat.completion.chunk');
  const isInChoice = choices.finishReasonPlace === 'choice';
  const chunk = (delta: object, finish: string | null): object => ({
    ...head,
    choices: [{ index: 0, delta, ...(isInChoice && { [choices.finishReasonField]: finish }) }],
    ...(!isInChoice && finish !== null && { [choices.finishReasonField]: finish }),
  });
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...cutIntoPieces(text).map((content) => chunk({ content }, null)),
    chunk({}, finishReason),
    { ...head, choices: [], ...usage(choices, completion, tokens) },
  ];
}

/** Cuts a text into pieces of 32 characters, without splitting any. */
export function cutIntoPieces(text: string): readonly string[] {
  return text.match(/.{1,32}/gsu) ?? [];
}
