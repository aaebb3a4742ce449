import type { Work } from '../workspace/ledger.ts';
import type { Choices } from '../world/world-schema.ts';
import type { AcceptedChat } from './accept-chat.ts';
import { completionIdOf, type Identity, requestIdOf } from './exchange.ts';
import { type Generation, generate } from './generate.ts';

/** All that determines an answer: the seed gives its text again, so that a stored key costs little memory. */
export interface Completion extends AcceptedChat, Pick<Identity, 'digest' | 'word'> {
  /** Seconds since 1970. */
  readonly created: number;
}

/** What the model says of a completion: the same for the same seed and body. */
export function generationOf({ word, allowedTokens, chosen }: Completion): Generation {
  return generate(word, allowedTokens, chosen);
}

/** In credits. */
export function costOf({ model, inputTokens }: AcceptedChat, outputTokens: number): number {
  return inputTokens * model.price.input + outputTokens * model.price.output;
}

/** How long the model takes, in milliseconds. */
export function modelMs({ model }: AcceptedChat, outputTokens: number): number {
  return (model.latencyMs ?? 0) + (model.latencyPerTokenMs ?? 0) * outputTokens;
}

/** What the debit of a completion is for. */
export function workOf({ inputTokens }: Completion, { tokens, finishReason }: Generation): Work {
  return { inputTokens, outputTokens: tokens, finishReason };
}

export function answerWith(choices: Choices, completion: Completion, generation = generationOf(completion)) {
  const { stream, digest, chosen } = completion;
  const headers = Object.entries(chosen?.headers ?? {}).flat();
  return {
    status: 200,
    requestId: requestIdOf(digest),
    contentType: stream ? 'text/event-stream; charset=utf-8' : 'application/json',
    headers: stream ? ['cache-control', 'no-cache', ...headers] : headers,
    body: stream
      ? writeEventStream(choices, completion, generation)
      : JSON.stringify(writeCompletion(choices.response, completion, generation)),
  };
}

/** A whole completion (RES-1 to RES-4), with the world's names for what the specification leaves open. */
export function writeCompletion(names: Choices['response'], completion: Completion, generation: Generation) {
  const said = { index: 0, message: { role: 'assistant', content: generation.text } };
  const body = bodyOf(names, headOf(completion, 'chat.completion'), said, generation.finishReason);
  body[names.usageField] = usageOf(names, completion, generation);
  return Object.assign(body, names.extraFields);
}

/** A whole completion as an event stream, from its first byte to its last (STR-1 to STR-3, STR-5). */
export function writeEventStream(choices: Choices, completion: Completion, generation: Generation): string {
  const { stream, response } = choices;
  const { framing, terminator, eventName, comment } = stream;
  const newline = stream.newline === 'lf' ? '\n' : '\r\n';
  const write =
    framing === 'chunks' ? chunksOf : (...what: Parameters<typeof chunksOf>) => [writeCompletion(...what)];
  const name = eventName === null ? '' : `event: ${eventName}${newline}`;
  const event = (data: string): string => `${name}data: ${data}${newline}${newline}`;
  let events = comment === null ? '' : `: ${comment}${newline}${newline}`;
  for (const body of write(response, completion, generation)) events += event(JSON.stringify(body));
  return terminator === null ? events : events + event(terminator);
}

/** The convention's chunks: the role, the text in pieces, the finish reason, and the usage beside no choice. */
function chunksOf(choices: Choices['response'], completion: Completion, generation: Generation) {
  const head = headOf(completion, 'chat.completion.chunk');
  const chunk = (delta: object, finish: string | null): object =>
    bodyOf(choices, head, { index: 0, delta }, finish);
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...cutIntoPieces(generation.text).map((content) => chunk({ content }, null)),
    chunk({}, generation.finishReason),
    { ...head, choices: [], [choices.usageField]: usageOf(choices, completion, generation) },
  ];
}

function headOf({ digest, created, model }: Completion, object: string): object {
  return { id: completionIdOf(digest), object, created, model: model.id };
}

/** A completion, or a chunk of it, up to why it ends; null: it goes on. */
function bodyOf(
  { finishReasonField, finishReasonPlace }: Choices['response'],
  head: object,
  said: object,
  finish: string | null,
): Record<string, unknown> {
  if (finishReasonPlace === 'choice') return { ...head, choices: [{ ...said, [finishReasonField]: finish }] };
  const body = { ...head, choices: [said] };
  return finish === null ? body : { ...body, [finishReasonField]: finish };
}

function usageOf(
  { inputTokensField, outputTokensField, totalTokensField }: Choices['response'],
  { inputTokens }: Completion,
  { tokens }: Generation,
): object {
  return {
    [inputTokensField]: inputTokens,
    [outputTokensField]: tokens,
    [totalTokensField]: inputTokens + tokens,
  };
}

/** Cuts a text into pieces of 32 characters, without splitting any. */
export function cutIntoPieces(text: string): readonly string[] {
  return text.match(/.{1,32}/gsu) ?? [];
}
