import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import type { Answer, Exchange } from '../../suites/engine/model/exchange.ts';
import type { ListedModel, TargetInfo } from '../../suites/engine/model/target.ts';
import { endpointOf, isSuccess, sentChat } from '../../suites/engine/reading/answers.ts';
import { dispositionOf } from '../../suites/engine/reading/errors/disposition.ts';
import { discoverModels } from '../../suites/engine/reading/models/read-models.ts';

/** A caller can make up names. */
const MOST_MODELS = 1000;

/** What is learned of a service from what passes: the models that it lists, and those that it serves. */
export class SeenModels {
  readonly #models = new Map<string, ListedModel>();
  readonly #bufferedBy: string | undefined;
  #listing: Answer | undefined;
  #vision: Answer | undefined;
  #info: TargetInfo | undefined;

  /** `bufferedBy`: who may hold answers back on the way from the service. */
  constructor(bufferedBy: string | undefined) {
    this.#bufferedBy = bufferedBy;
  }

  /** The same object until more is learned. */
  get info(): TargetInfo {
    const [first, ...others] = this.#models.values();
    this.#info ??= {
      profile: {},
      keys: new Set(['primary']),
      models: [first ?? { id: 'unknown' }, ...others],
      ...(first === undefined && { hasNoList: true }),
      control: false,
      ...(this.#bufferedBy !== undefined && { bufferedBy: this.#bufferedBy }),
      outputTokens: Number.MAX_SAFE_INTEGER,
      thrifty: true,
    };
    return this.#info;
  }

  note(exchange: Exchange): void {
    const { request, outcome } = exchange;
    if (outcome.kind !== 'answered' || !isSuccess(outcome.answer)) return;
    if (endpointOf(request) === 'chat') return this.#addServed(exchange);
    if (request.method !== 'GET') return;
    if (request.path === ENDPOINTS.models) this.#listing = outcome.answer;
    else if (request.path === ENDPOINTS.vision) this.#vision = outcome.answer;
    else return;
    const read = this.#listing && discoverModels(this.#listing, this.#vision, {});
    if (read?.kind === 'models') for (const model of read.models) this.#add(model);
  }

  #addServed(exchange: Exchange): void {
    const model = sentChat(exchange.request)?.['model'];
    if (typeof model !== 'string' || this.#models.has(model)) return;
    if (dispositionOf(exchange, this.info) === 'served') this.#add({ id: model });
  }

  #add(model: ListedModel): void {
    const known = this.#models.get(model.id);
    if (known === undefined && this.#models.size >= MOST_MODELS) return;
    const joined = { ...known, ...model };
    if (JSON.stringify(known) === JSON.stringify(joined)) return;
    this.#models.set(model.id, joined);
    this.#info = undefined;
  }
}
