import { hash } from 'node:crypto';

/** Every stimulus draws from a stream of its own, so that neither order nor selection changes what it sends. */
export function seedOf(seed: number, name: string): number {
  return streamOf(`${seed}/${name}`);
}

/** A seed for what is drawn alike whatever the seed of the run, 32 bits with the sign. */
export function streamOf(text: string): number {
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16) | 0;
}
