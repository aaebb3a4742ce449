import { ENDPOINTS, HEADERS } from '../../fixtures/chats/wire.ts';
import { type Mock, startMock } from '../../mock-server/start-mock.ts';
import { addressOf } from '../../suites/engine/model/network.ts';
import { type Destination, destinationAt } from './forwarder.ts';
import type { Recording } from './recording.ts';

/** A mock that serves the recording as far as it has grown. */
interface Serving {
  readonly mock: Mock;
  readonly destination: Destination;
  world: Recording['world'];
}

/** Answers chats that a recording has, so that nobody pays for them again. */
export class Repeats {
  readonly #recording: Recording;
  readonly #recorded: () => Promise<void>;
  #serving: Promise<Serving> | undefined;
  /** So many chats it has answered. */
  count = 0;

  /** `recorded` resolves once everything is recorded that has ended. */
  constructor(recording: Recording, recorded: () => Promise<void>) {
    this.#recording = recording;
    this.#recorded = recorded;
  }

  /** Undefined: the chat with this body is not recorded. */
  readonly find = async (body: Uint8Array): Promise<Destination | undefined> => {
    await this.#recorded();
    if (!this.#recording.has(body)) return undefined;
    this.#serving ??= serve(this.#recording.world);
    const serving = await this.#serving;
    const { world } = this.#recording;
    if (serving.world !== world) await serving.mock.changeWorld(world);
    serving.world = world;
    this.count += 1;
    return serving.destination;
  };

  async close(): Promise<void> {
    const serving = await this.#serving;
    await serving?.destination.connections.close();
    await serving?.mock.close();
  }
}

async function serve(world: Recording['world']): Promise<Serving> {
  const mock = await startMock({ world });
  const { connections, headers } = destinationAt(mock.url, {});
  const destination = {
    connections,
    path: addressOf(mock.url).path + ENDPOINTS.chat,
    headers: [...headers, HEADERS.authorization, `Bearer ${mock.keys['primary']}`],
  };
  return { mock, destination, world };
}
