import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A request between its head and the end of its answer, with what is kept for it meanwhile. */
export interface Activity {
  readonly message: IncomingMessage;
  /** Whose request it is: what is asked to `cut`. */
  readonly owner: unknown;
  release: (() => void) | null;
  /** Called when its connection is gone before its answer has ended. */
  gone: (() => void) | null;
  /** Nothing more will be sent: it ends when its client goes. */
  isSilent: boolean;
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

  began(message: IncomingMessage, owner?: unknown): Activity {
    const activity = { message, owner, release: null, gone: null, isSilent: false };
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

  /** Nothing more will come of it: a connection on which there is nothing else ends with the mock. */
  silence(activity: Activity): void {
    activity.isSilent = true;
    if (this.#closing) this.drain();
  }

  /** Cuts every connection on which nothing goes on, now and as soon as that becomes so. */
  drain(): void {
    this.#closing = true;
    for (const [socket, activities] of this.#open)
      if ([...activities].every(({ isSilent }) => isSilent)) socket.destroy();
  }

  /** Cuts every connection on which a request of this owner is under way. */
  cut(owner: unknown): void {
    for (const [socket, activities] of this.#open)
      if ([...activities].some((activity) => activity.owner === owner)) socket.destroy();
  }

  #closed(socket: Socket): void {
    const activities = this.#open.get(socket);
    this.#open.delete(socket);
    for (const { release, gone } of activities ?? []) {
      release?.();
      gone?.();
    }
  }
}
