import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { median } from './median.ts';
import { keyOf, serve } from './serve.ts';

const ROUNDS = 9;
const MOCK = fileURLToPath(new URL('../chat-conformance.js', import.meta.url));
const BARE = fileURLToPath(new URL('./bare-server.js', import.meta.url));

export interface StartUp {
  /** Milliseconds from the start of the process to the end of its first answer, medians. */
  readonly mock: number;
  readonly bare: number;
  readonly ratio: number;
}

/** Time from start to first answer of the compiled command, beside that of a bare server, in turns. */
export async function startUp(): Promise<StartUp> {
  const rounds: { mock: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ bare: await toFirstAnswer([BARE, '500']), mock: await toFirstAnswer([MOCK, 'mock']) });
  }
  return {
    mock: median(rounds.map(({ mock }) => mock)),
    bare: median(rounds.map(({ bare }) => bare)),
    ratio: median(rounds.map(({ mock, bare }) => mock / bare)),
  };
}

async function toFirstAnswer(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const served = await serve(args);
  await firstAnswer(`${served.url}/models`, keyOf(served));
  const taken = performance.now() - start;
  await served.stop();
  return taken;
}

async function firstAnswer(url: string, key: string): Promise<void> {
  const answer = await request(url, { headers: { authorization: `Bearer ${key}` }, reset: true });
  await answer.body.arrayBuffer();
}
