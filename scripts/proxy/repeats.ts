import { ENDPOINTS, HEADERS } from '../../fixtures/chats/wire.ts';
import { compileAnswers } from '../../mock-server/answers/compile-answers.ts';
import { type Mock, startMock } from '../../mock-server/start-mock.ts';
import { completeWorld } from '../../mock-server/world/complete-world.ts';
import { addressOf } from '../../suites/engine/model/network.ts';
import { type Destination, destinationAt } from './forwarder.ts';
import type { Recording } from './recording.ts';

/** A mock that serves the recording as far as it has grown. */
interface Serving {
  readonly mock: Mock;
  readonly destination: Destination;
  /** So many answers of the recording. */
  armed: number;
}

/** Answers chats that a recording has, so that nobody pays for them again. */
export class Repeats {
  readonly #recording: Recording;
  readonly #recorded: () => Promise<void>;
  /** By the number of models: a mock has those of its start. */
  readonly #servings = new Map<number, Promise<Serving>>();
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
    const { models = [], answers = [] } = this.#recording.world;
    const begun = this.#servings.get(models.length) ?? this.#begin();
    this.#servings.set(models.length, begun);
    const serving = await begun;
    const { service } = serving.mock.sandboxes.root;
    service.answers.arm(compileAnswers(answers.slice(serving.armed), service.world));
    serving.armed = Math.max(serving.armed, answers.length);
    this.count += 1;
    return serving.destination;
  };

  async #begin(): Promise<Serving> {
    const world = completeWorld(this.#recording.world);
    const mock = await startMock({ world });
    const { connections, headers } = destinationAt(mock.url, {});
    const destination = {
      connections,
      path: addressOf(mock.url).path + ENDPOINTS.chat,
      headers: [...headers, HEADERS.authorization, `Bearer ${mock.keys['primary']}`],
    };
    return { mock, destination, armed: world.answers?.length ?? 0 };
  }

  async close(): Promise<void> {
    for (const { mock, destination } of await Promise.all(this.#servings.values())) {
      await destination.connections.close();
      await mock.close();
    }
  }
}
