import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Network } from '../../../suites/engine/model/network.ts';
import { type Forwarder, startForwarder } from '../../proxy/forwarder.ts';
import { Recorder } from '../../proxy/recorder.ts';
import type { Recording } from '../../proxy/recording.ts';

/** A proxy in this process, with what it records. */
export interface Proxied {
  readonly forwarder: Forwarder;
  readonly recorder: Recorder;
  /** Resolves once so many exchanges have ended. */
  readonly ended: (count: number) => Promise<void>;
}

interface ProxiedBy {
  /** How it reaches the service. */
  readonly network?: Network | undefined;
  readonly recording?: Recording | undefined;
  readonly controlUrl?: string | undefined;
}

/** A proxy before a service, until the test ends. */
export async function proxied(target: string, by: ProxiedBy = {}): Promise<Proxied> {
  const { network } = by;
  const recorder = new Recorder({ baseUrl: target, ...by });
  const forwarder = await startForwarder({ target, network, host: '127.0.0.1', port: 0, recorder });
  onTestFinished(() => forwarder.close());
  const ended = async (count: number): Promise<void> => {
    while (recorder.noted < count) await nextTurn();
  };
  return { forwarder, recorder, ended };
}

/** What one side of a connection has received so far. */
export class Received {
  text = '';
  /** The error that ended the connection; undefined: it is open, or ended in order. */
  error: string | undefined;
  isClosed = false;
  readonly socket: Socket;
  readonly #waiting = new Set<() => void>();

  constructor(socket: Socket) {
    this.socket = socket;
    const told = (): void => {
      for (const each of this.#waiting) each();
    };
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      this.text += piece;
      told();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => (this.error = error.code ?? error.message));
    socket.on('close', () => {
      this.isClosed = true;
      told();
    });
  }

  /** Resolves once this much has come. */
  async until(holds: (received: Received) => boolean): Promise<void> {
    while (!holds(this)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
  }

  untilText(part: string): Promise<void> {
    return this.until(({ text }) => text.includes(part));
  }

  untilClosed(): Promise<void> {
    return this.until(({ isClosed }) => isClosed);
  }
}

/** A client that writes bytes to an origin and sees the bytes that come back. */
export function rawClient(baseUrl: string, bytes: string): Received {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  return new Received(socket);
}
