import { isContinuation } from './utf8.ts';

const PIECE_BYTES = 32;

/** A UTF-8 text in pieces of some 32 bytes, none of which splits a character; joined, they are the text. */
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
