import { connect } from 'node:net';

/** What came on a connection, a character a byte. */
export interface Heard {
  bytes: string;
  /** How often bytes came. */
  pieces: number;
  /** Milliseconds from the request to the first byte. */
  ms: number;
  end: 'open' | 'closed' | 'reset';
}

export interface RawCall {
  readonly heard: Readonly<Heard>;
  readonly hangUp: () => void;
}

/** Sends a request on a connection of its own, and listens until it hangs up. */
export function rawCall(port: number, request: string): RawCall {
  const heard: Heard = { bytes: '', pieces: 0, ms: 0, end: 'open' };
  const socket = connect(port, '127.0.0.1');
  const began = performance.now();
  socket.on('data', (bytes: Buffer) => {
    if (heard.pieces === 0) heard.ms = performance.now() - began;
    heard.bytes += bytes.toString('latin1');
    heard.pieces += 1;
  });
  socket.on('end', () => (heard.end = 'closed'));
  socket.on('error', () => (heard.end = 'reset'));
  socket.write(request);
  return { heard, hangUp: () => void socket.destroy() };
}
