import type { Rule } from '../faults/rule.ts';
import type { Model } from '../world/world.ts';

/** What is to be completed, and how large it may become. */
export interface Order {
  /** As the request has it: the completion says it again. */
  readonly modelId: string;
  readonly model: Model;
  readonly stream: boolean;
  readonly inputTokens: number;
  readonly allowedTokens: number;
  /** Null: the model ID is no reserved one that asks for a fault. */
  readonly fault: Rule | null;
}

/** In credits, for so many tokens of output. */
export function cost({ model, inputTokens }: Order, outputTokens: number): number {
  return inputTokens * model.price.input + outputTokens * model.price.output;
}

/** Milliseconds that the model of an order takes for so many tokens of output. */
export function duration({ model }: Order, outputTokens: number): number {
  return (model.latencyMs ?? 0) + (model.latencyPerTokenMs ?? 0) * outputTokens;
}
