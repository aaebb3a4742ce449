import { isContinuation } from '../protocol/answer.ts';
import type { Choices, ResponseChoices, StreamChoices } from '../world/world.ts';
import { createWriteCompletion, createWriteUsage, jsonUtf8, type WriteCompletion } from './completion.ts';

/** The text before and after the data of every event. */
interface Frame {
  readonly before: string;
  readonly after: string;
}

/** Writes a whole completion as an event stream, from its first byte to its last (STR-1 to STR-3, STR-5). */
export function createWriteEventStream({ stream, response }: Choices): WriteCompletion {
  const frame = createFrame(stream);
  const newline = lineEnd(stream);
  const begin = stream.comment === null ? '' : `: ${stream.comment}${newline}${newline}`;
  const end = stream.terminator === null ? '' : `${frame.before}${stream.terminator}${frame.after}`;
  const writeEvents =
    stream.framing === 'chunks' ? createChunks(response, frame) : createOneEvent(response, frame);
  return (completion) => begin + writeEvents(completion) + end;
}

function lineEnd({ newline }: StreamChoices): string {
  return newline === 'lf' ? '\n' : '\r\n';
}

function createFrame(stream: StreamChoices): Frame {
  const newline = lineEnd(stream);
  const name = stream.eventName === null ? '' : `event: ${stream.eventName}${newline}`;
  return { before: `${name}data: `, after: newline + newline };
}

function createOneEvent(response: ResponseChoices, { before, after }: Frame): WriteCompletion {
  const writeCompletion = createWriteCompletion(response);
  return (completion) => before + writeCompletion(completion) + after;
}

/** The convention's chunks: the role, the text in pieces, the finish reason, and the usage beside no choice. */
function createChunks(response: ResponseChoices, { before, after }: Frame): WriteCompletion {
  const writeUsage = createWriteUsage(response);
  const finish = jsonUtf8(response.finishReasonField);
  const isInChoice = response.finishReasonPlace === 'choice';
  const end = `}${isInChoice ? `,${finish}:null` : ''}}]}${after}`;
  return (completion) => {
    const { id, created, modelJson, text, finishReason } = completion;
    const head = `${before}{"id":"${id}","object":"chat.completion.chunk","created":${created},"model":${modelJson},"choices":[`;
    const delta = `${head}{"index":0,"delta":{`;
    const content = `${delta}"content":`;
    const written = [delta, '"role":"assistant","content":""', end];
    for (const piece of cutIntoPieces(text)) written.push(content, JSON.stringify(piece), end);
    const reason = `${finish}:${jsonUtf8(finishReason)}`;
    written.push(delta, isInChoice ? `},${reason}}]}` : `}}],${reason}}`, after);
    written.push(head, `],${writeUsage(completion)}}`, after);
    return written.join('');
  };
}

const PIECE_BYTES = 32;

/** Cuts a UTF-8 text into pieces of about 32 bytes, without splitting a character. */
export function cutIntoPieces(utf8: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < utf8.length;) {
    const end = endOfCharacter(utf8, start + PIECE_BYTES);
    pieces.push(utf8.slice(start, end));
    start = end;
  }
  return pieces;
}

function endOfCharacter(utf8: string, at: number): number {
  let end = at;
  while (isContinuation(utf8, end)) end += 1;
  return end;
}
