/** An answer to send, complete before its first byte is sent (STR-2). */
export interface Answer {
  readonly status: number;
  readonly requestId: string;
  readonly contentType: string;
  /** In UTF-8, a character a byte. */
  readonly body: string;
  /** Further headers: names and values in turn. */
  readonly headers: readonly string[];
}

export type Reply = (answer: Answer) => void;

const NONE: readonly string[] = [];

/** A 200 with a JSON body. */
export function jsonAnswer(requestId: string, body: string): Answer {
  return { status: 200, requestId, contentType: 'application/json', body, headers: NONE };
}

/**
 * Text as a string of its UTF-8 bytes, a character for each (what Node calls latin1). Bodies are put together of such
 * strings: their length is their size, and they reach the socket without being encoded once more. JSON's quotes,
 * escapes and the rest of its syntax are ASCII, so JSON.stringify and slicing work on them as on any string.
 */
export function toUtf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Whether the byte at a place continues the character before it (10xxxxxx), so that no cut may be made there. */
export function isContinuation(utf8: string, at: number): boolean {
  return (utf8.charCodeAt(at) & 0xc0) === 0x80;
}
