/** What is to be sent: whole, before its first byte leaves (STR-2). */
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
