import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Mock } from '../start-mock.ts';

/** Everything received on a connection, one character a byte, and how it ended, if it did. */
export interface Received {
  bytes: string;
  end: 'open' | 'FIN' | 'RST';
}

/** Writes bytes on a connection of their own, which is gone at the end of the test. */
export function dial({ port }: Pick<Mock, 'port'>, ...bytes: readonly string[]) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const received: Received = { bytes: '', end: 'open' };
  socket.on('data', (part: Buffer) => (received.bytes += part.toString('latin1')));
  socket.on('end', () => (received.end = 'FIN'));
  socket.on('error', () => (received.end = 'RST'));
  const over = new Promise<Received>((resolve) => socket.on('close', () => resolve(received)));
  for (const part of bytes) socket.write(part);
  return { socket, received, over };
}

/** Everything that comes back until the connection ends. */
export async function talk(mock: Pick<Mock, 'port'>, ...bytes: readonly string[]): Promise<string> {
  return (await dial(mock, ...bytes).over).bytes;
}

/** The head of a request with the primary key. */
export function head({ keys }: Pick<Mock, 'keys'>, line: string, ...headers: readonly string[]): string {
  const lines = [`${line} HTTP/1.1`, 'Host: mock', `Authorization: Bearer ${keys['primary']}`, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

export const POST = 'POST /v1/chat/completions';

/** A chat as bytes. */
export function post(mock: Pick<Mock, 'keys'>, body: string, ...headers: readonly string[]): string {
  return head(mock, POST, ...headers, `Content-Length: ${body.length}`) + body;
}

export interface Whole {
  readonly head: string;
  readonly body: string;
}

/** An answer on the wire: its head with the empty line, and its body as far as it has come. */
export function split(bytes: string): Whole {
  const end = bytes.indexOf('\r\n\r\n') + 4;
  return end < 4 ? { head: bytes, body: '' } : { head: bytes.slice(0, end), body: bytes.slice(end) };
}

/** Whether an answer has arrived to its end. */
export function isWhole(bytes: string): boolean {
  const { head: received, body } = split(bytes);
  return received.endsWith('\r\n\r\n') && body.length === Number(/content-length: (\d+)/.exec(received)?.[1]);
}
