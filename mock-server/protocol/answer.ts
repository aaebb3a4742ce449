/** An answer to send, complete before its first byte is sent (STR-2). */
export interface Answer {
  readonly status: number;
  readonly requestId: string;
  readonly contentType: string;
  readonly body: string;
  /** `latin1`: the body has one character for each byte. Absent: it is text. */
  readonly encoding?: 'latin1';
  /** Further headers: names and values in turn. */
  readonly headers: readonly string[];
}

/** A 200 with a JSON body. */
export function jsonAnswer(requestId: string, body: object): Answer {
  return {
    status: 200,
    requestId,
    contentType: 'application/json',
    body: JSON.stringify(body),
    headers: [],
  };
}

/** Text as a string of its UTF-8 bytes, one character for each: for whatever changes bytes. */
export function toUtf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}
