import { request } from 'undici';
import { compare, type Row } from './measure.ts';
import { BARE, COMMAND, start } from './programs.ts';

const ROUNDS = 9;

/** From the start of the process to the end of its first answer. */
export async function startUp(): Promise<readonly Row[]> {
  const measured = await compare(
    ROUNDS,
    () => toFirstAnswer(COMMAND, 'mock'),
    () => toFirstAnswer(BARE, 'serve', '500'),
  );
  return [{ what: 'start to first answer, ms', ...measured('ms'), goal: 'at most 1.5' }];
}

async function toFirstAnswer(...args: readonly string[]): Promise<{ readonly ms: number }> {
  const started = performance.now();
  const { url, keys, stop } = await start(...args);
  const headers = { authorization: `Bearer ${keys.primary}` };
  const { body } = await request(`${url}/models`, { headers, reset: true });
  await body.arrayBuffer();
  const ms = performance.now() - started;
  await stop();
  return { ms };
}
