import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request between its head and the end of its answer. */
export interface Activity {
  readonly response: ServerResponse;
  /** Whose it is, for `cut`. */
  readonly service?: object;
  /** Called when its answer was handed to the socket, or its connection has closed before. */
  readonly over?: (how: 'answered' | 'client-gone') => void;
  /** Nothing more will be sent: it ends when its client disconnects. */
  isSilent?: boolean;
}

export class Connections {
  readonly #open = new Map<Socket, Activity[]>();
  #closing = false;

  get closing(): boolean {
    return this.#closing;
  }

  opened(socket: Socket): void {
    this.#open.set(socket, []);
    // Node takes its own listener off after CONNECT and Upgrade, and an unhandled error ends the process.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      const activities = this.#open.get(socket) ?? [];
      this.#open.delete(socket);
      for (const activity of activities) activity.over?.('client-gone');
    });
  }

  began(activity: Activity): void {
    const { response } = activity;
    this.#open.get(response.req.socket)?.push(activity);
    // Ahead of Node's own listener, which begins to write the next answer.
    response.prependListener('finish', () => this.#finished(activity));
  }

  #finished(activity: Activity): void {
    const { socket } = activity.response.req;
    const activities = this.#open.get(socket);
    const at = activities?.indexOf(activity) ?? -1;
    // Its connection may have closed before.
    if (activities === undefined || at === -1) return;
    activities.splice(at, 1);
    activity.over?.('answered');
    if (this.#closing && activities.length === 0) socket.destroySoon();
  }

  /** Whether a whole request has arrived on this connection, and its answer has not ended. */
  isAnswering(socket: Socket): boolean {
    const activities = this.#open.get(socket);
    return activities !== undefined && activities.some(({ response }) => response.req.complete);
  }

  /** The answer that is due to the request of which a part has arrived on this connection. */
  unread(socket: Socket): ServerResponse | undefined {
    return this.#open.get(socket)?.find(({ response }) => !response.req.complete)?.response;
  }

  /** Marks an activity for which nothing more will be sent. The mock closes without waiting for it. */
  silence(activity: Activity): void {
    activity.isSilent = true;
    if (this.#closing) this.drain();
  }

  /** Closes a connection on which no request runs. */
  closeIdle(socket: Socket): void {
    if (this.#open.get(socket)?.length === 0) socket.destroySoon();
  }

  /** Cuts every idle connection, now and whenever one becomes idle. */
  drain(): void {
    this.#closing = true;
    for (const [socket, activities] of this.#open)
      if (activities.every(({ isSilent }) => isSilent)) socket.destroy();
  }

  /** Cuts every connection on which a request of this service runs. */
  cut(service: object): void {
    for (const [socket, activities] of this.#open)
      if (activities.some((activity) => activity.service === service)) socket.destroy();
  }
}
