/** An answer as it would be sent. */
export interface OutgoingAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** One character for each byte. */
  readonly body: string;
}

/** The connection on which an answer leaves. What is waited for never comes once the caller has gone. */
export interface Line {
  /** Sends the head, and the first bytes of the body, and waits until the operating system has them. */
  begin(answer: OutgoingAnswer, bytes?: string): Promise<void>;
  /** Sends further bytes of the body, and waits until the operating system has them. */
  write(bytes: string): Promise<void>;
  /** Sends the last bytes. A caller that has them has the whole answer, and may go. */
  end(bytes: string): void;
  /** Sends the whole answer, and waits until it has left. */
  whole(answer: OutgoingAnswer): Promise<void>;
  /** Waits; other requests have their turn meanwhile. */
  pause(ms: number): Promise<void>;
  /** Ends the connection: with FIN after what was written, or with RST at once. */
  cut(how: 'fin' | 'rst'): void;
  /** Sends nothing more, and leaves the connection open. */
  silence(): void;
  /** Closes the connection if no request runs on it. */
  closeIdle(): void;
}
