import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import type { Answer, Exchange } from '../../suites/kit/model/exchange.ts';
import type { ListedModel, TargetInfo } from '../../suites/kit/model/target.ts';
import { endpointOf, isSuccess, sentChat } from '../../suites/kit/reading/answers.ts';
import { dispositionOf } from '../../suites/kit/reading/errors/disposition.ts';
import { discoverModels } from '../../suites/kit/reading/models/read-models.ts';

const NO_PROFILE = {};

/** A caller can make up names. */
const MOST_MODELS = 1000;

/** What is learned of a service from what passes: the models that it lists, and those that it serves. */
export class SeenModels {
  readonly #models = new Map<string, ListedModel>();
  #listing: Answer | undefined;
  #vision: Answer | undefined;
  readonly #buffered: Pick<TargetInfo, 'bufferedBy'>;
  #info: TargetInfo | undefined;

  constructor(bufferedBy: string | undefined) {
    this.#buffered = bufferedBy === undefined ? {} : { bufferedBy };
  }

  /** The same object until more is learned. */
  get info(): TargetInfo {
    this.#info ??= this.#made();
    return this.#info;
  }

  note(exchange: Exchange): void {
    const { request, outcome } = exchange;
    if (outcome.kind !== 'answered' || !isSuccess(outcome.answer)) return;
    const endpoint = endpointOf(request);
    if (endpoint === 'chat') this.#addServed(exchange);
    else if (request.method === 'GET' && request.path === ENDPOINTS.models)
      this.#read({ listing: outcome.answer });
    else if (request.method === 'GET' && request.path === ENDPOINTS.vision)
      this.#read({ vision: outcome.answer });
  }

  #addServed(exchange: Exchange): void {
    const model = sentChat(exchange.request)?.['model'];
    if (typeof model !== 'string' || this.#models.has(model)) return;
    if (dispositionOf(exchange, this.info) === 'served') this.#add({ id: model });
  }

  #read({ listing = this.#listing, vision = this.#vision }: { listing?: Answer; vision?: Answer }): void {
    this.#listing = listing;
    this.#vision = vision;
    if (listing === undefined) return;
    const discovered = discoverModels(listing, vision, NO_PROFILE);
    if (discovered.kind === 'models') for (const model of discovered.models) this.#add(model);
  }

  #add(model: ListedModel): void {
    const known = this.#models.get(model.id);
    if (known === undefined && this.#models.size >= MOST_MODELS) return;
    if (known !== undefined && JSON.stringify(known) === JSON.stringify({ ...known, ...model })) return;
    this.#models.set(model.id, { ...known, ...model });
    this.#info = undefined;
  }

  #made(): TargetInfo {
    const [first, ...others] = this.#models.values();
    return {
      profile: NO_PROFILE,
      keys: new Set(['primary']),
      models: [first ?? { id: 'unknown' }, ...others],
      ...(first === undefined && { hasNoList: true }),
      control: false,
      ...this.#buffered,
      outputTokens: Number.MAX_SAFE_INTEGER,
      thrifty: true,
    };
  }
}
