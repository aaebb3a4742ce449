import { type Answer, jsonAnswer } from '../protocol/answer.ts';
import type { Work } from '../workspace/ledger.ts';
import type { Choices } from '../world/world-schema.ts';
import type { AcceptedChat } from './accept-chat.ts';
import { type Generation, generate } from './generate.ts';
import { completionIdOf, type Identity, requestIdOf } from './identity.ts';

/** All that determines an answer: the seed gives its text again, so that a stored key costs little memory. */
export interface Completion extends AcceptedChat, Pick<Identity, 'digest' | 'word'> {
  /** Seconds since 1970. */
  readonly created: number;
}

/** What the debit of a completion is for. */
export function workOf({ inputTokens }: Completion, { tokens, finishReason }: Generation): Work {
  return { inputTokens, outputTokens: tokens, finishReason };
}

/** What the model says of a completion: the same for the same seed and body. */
export function generationOf({ word, allowedTokens, chosen }: Completion): Generation {
  return generate(word, allowedTokens, chosen);
}

/** The answer with a completion: one JSON object, or an event stream. */
export function answerWith(
  choices: Choices,
  completion: Completion,
  generation = generationOf(completion),
): Answer {
  const requestId = requestIdOf(completion.digest);
  const headers = Object.entries(completion.chosen?.headers ?? {}).flat();
  if (!completion.stream)
    return { ...jsonAnswer(requestId, writeCompletion(choices.response, completion, generation)), headers };
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
  choices: Choices['response'],
  completion: Completion,
  { text, tokens, finishReason }: Generation,
): object {
  return {
    ...headOf(completion, 'chat.completion'),
    ...choiceOf(choices, { message: { role: 'assistant', content: text } }, finishReason),
    ...usageOf(choices, completion, tokens),
    ...choices.extraFields,
  };
}

/** A whole completion as an event stream, from its first byte to its last (STR-1 to STR-3, STR-5). */
export function writeEventStream(
  { stream, response }: Choices,
  completion: Completion,
  generation: Generation,
): string {
  const { framing, terminator, eventName, comment } = stream;
  const newline = stream.newline === 'lf' ? '\n' : '\r\n';
  const what = [response, completion, generation] as const;
  const bodies = framing === 'chunks' ? chunksOf(...what) : [writeCompletion(...what)];
  const datas = bodies.map((body) => JSON.stringify(body));
  if (terminator !== null) datas.push(terminator);
  const name = eventName === null ? '' : `event: ${eventName}${newline}`;
  const events = datas.map((data) => `${name}data: ${data}${newline}${newline}`);
  return `${comment === null ? '' : `: ${comment}${newline}${newline}`}${events.join('')}`;
}

/** The convention's chunks: the role, the text in pieces, the finish reason, and the usage beside no choice. */
function chunksOf(
  choices: Choices['response'],
  completion: Completion,
  { text, tokens, finishReason }: Generation,
): readonly object[] {
  const head = headOf(completion, 'chat.completion.chunk');
  const chunk = (delta: object, finish: string | null): object => ({
    ...head,
    ...choiceOf(choices, { delta }, finish),
  });
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...cutIntoPieces(text).map((content) => chunk({ content }, null)),
    chunk({}, finishReason),
    { ...head, choices: [], ...usageOf(choices, completion, tokens) },
  ];
}

function headOf({ digest, created, modelId }: Completion, object: string): object {
  return { id: completionIdOf(digest), object, created, model: modelId };
}

function choiceOf(
  { finishReasonField, finishReasonPlace }: Choices['response'],
  said: object,
  finish: string | null,
): object {
  const reason = { [finishReasonField]: finish };
  const isInChoice = finishReasonPlace === 'choice';
  return {
    choices: [{ index: 0, ...said, ...(isInChoice && reason) }],
    ...(!isInChoice && finish !== null && reason),
  };
}

function usageOf(
  { usageField, inputTokensField, outputTokensField, totalTokensField }: Choices['response'],
  { inputTokens }: Completion,
  outputTokens: number,
): object {
  return {
    [usageField]: {
      [inputTokensField]: inputTokens,
      [outputTokensField]: outputTokens,
      [totalTokensField]: inputTokens + outputTokens,
    },
  };
}

/** Cuts a text into pieces of 32 characters, without splitting any. */
export function cutIntoPieces(text: string): readonly string[] {
  return text.match(/.{1,32}/gsu) ?? [];
}
