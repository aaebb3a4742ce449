import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A request between its head and the end of its answer, with what is kept for it meanwhile. */
export interface Activity {
  readonly message: IncomingMessage;
  release: (() => void) | null;
}

/** The open connections of one mock, and what goes on in each. */
export class Connections {
  readonly #open = new Map<Socket, Set<Activity>>();
  #closing = false;

  get closing(): boolean {
    return this.#closing;
  }

  opened(socket: Socket): void {
    this.#open.set(socket, new Set());
    socket.once('close', () => this.#closed(socket));
  }

  began(message: IncomingMessage): Activity {
    const activity = { message, release: null };
    this.#open.get(message.socket)?.add(activity);
    return activity;
  }

  /** Keeps something until the activity ends. On a connection that is gone, gives it back at once. */
  hold(activity: Activity, release: () => void): void {
    if (this.#open.has(activity.message.socket)) activity.release = release;
    else release();
  }

  ended(activity: Activity): void {
    const { socket } = activity.message;
    const activities = this.#open.get(socket);
    // Its connection may have ended it before.
    if (activities?.delete(activity) !== true) return;
    activity.release?.();
    if (this.#closing && activities.size === 0) socket.destroySoon();
  }

  /** Whether a request has arrived whole on this connection, and its answer is due or on its way. */
  isAnswering(socket: Socket): boolean {
    const activities = this.#open.get(socket);
    return activities !== undefined && [...activities].some(({ message }) => message.complete);
  }

  /** Cuts every connection on which nothing goes on, now and as soon as that becomes so. */
  drain(): void {
    this.#closing = true;
    for (const [socket, activities] of this.#open) if (activities.size === 0) socket.destroy();
  }

  #closed(socket: Socket): void {
    const activities = this.#open.get(socket);
    this.#open.delete(socket);
    for (const { release } of activities ?? []) release?.();
  }
}
