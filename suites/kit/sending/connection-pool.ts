import { Client, type Dispatcher, Pool } from 'undici';

/**
 * Bytes of a body up to which its request shares a connection with others. A service may answer before it has read a
 * larger one: whatever it leaves unread, or closes, must meet no other request.
 */
const MOST_SHARED_BYTES = 16 * 1024;

/** A way to the target for one request. */
interface Connection {
  readonly dispatcher: Dispatcher;
  /** The exchange has ended. */
  readonly release: () => void;
}

/** The connections to one origin: some that requests share, and one for each large body alone. */
export class ConnectionPool {
  readonly #origin: string;
  readonly #options: Pool.Options;
  readonly #shared: Pool;
  readonly #own = new Set<Client>();

  constructor(origin: string, options: Pool.Options) {
    this.#origin = origin;
    this.#options = { ...options, pipelining: 1 };
    this.#shared = new Pool(origin, { ...this.#options, connections: 256 });
  }

  /** For a request with a body of this many bytes. */
  open(bytes: number): Connection {
    if (bytes <= MOST_SHARED_BYTES) return { dispatcher: this.#shared, release: () => {} };
    const client = new Client(this.#origin, this.#options);
    this.#own.add(client);
    return { dispatcher: client, release: () => void this.#end(client) };
  }

  async close(): Promise<void> {
    await Promise.all([this.#shared.destroy(), ...[...this.#own].map((client) => this.#end(client))]);
  }

  #end(client: Client): Promise<void> {
    this.#own.delete(client);
    return client.destroy();
  }
}
