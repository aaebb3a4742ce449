import type { Answer, Exchange } from '../../suites/engine/model/exchange.ts';
import type { ListedModel, TargetInfo } from '../../suites/engine/model/target.ts';
import { endpointOf, isSuccess, sentChat } from '../../suites/engine/reading/answers.ts';
import { dispositionOf } from '../../suites/engine/reading/errors/disposition.ts';
import { discoverModels } from '../../suites/engine/reading/models/read-models.ts';

/** What is learned of a service from what passes: the models that it lists, and those that it serves. */
export class SeenModels {
  readonly #models = new Map<string, ListedModel>();
  readonly #answers: Partial<Record<'models' | 'vision', Answer>> = {};
  /** Another object only where more was learned. */
  info: TargetInfo;

  constructor(bufferedBy: string | undefined) {
    this.info = {
      profile: {},
      keys: new Set(['primary']),
      models: [{ id: 'unknown' }],
      hasNoList: true,
      control: false,
      ...(bufferedBy !== undefined && { bufferedBy }),
      outputTokens: Number.MAX_SAFE_INTEGER,
      thrifty: true,
    };
  }

  note(exchange: Exchange): void {
    const { request, outcome } = exchange;
    const endpoint = endpointOf(request);
    if (endpoint === undefined || outcome.kind !== 'answered' || !isSuccess(outcome.answer)) return;
    if (endpoint === 'chat') return this.#noteServed(exchange);
    this.#answers[endpoint] = outcome.answer;
    const { models: listing, vision } = this.#answers;
    const read = listing && discoverModels(listing, vision, {});
    if (read?.kind === 'models') for (const model of read.models) this.#add(model);
  }

  #noteServed(exchange: Exchange): void {
    const model = sentChat(exchange.request)?.['model'];
    if (typeof model !== 'string' || this.#models.has(model)) return;
    if (dispositionOf(exchange, this.info) === 'served') this.#add({ id: model });
  }

  #add(model: ListedModel): void {
    const known = this.#models.get(model.id);
    const joined = { ...known, ...model };
    if (JSON.stringify(known) === JSON.stringify(joined)) return;
    this.#models.set(model.id, joined);
    const [first = joined, ...others] = this.#models.values();
    const { hasNoList: _, ...info } = this.info;
    this.info = { ...info, models: [first, ...others] };
  }
}
