import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type CommandResult, resultOf, spawnCommand } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { isJson } from '../support/is-json.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

/** Takes many writes of a page. */
const LONG = 'a'.repeat(8_000_000);

/** A service that answers a long text to a long wish. */
async function startUpstream(): Promise<string> {
  const { baseUrl } = await startErringService(({ body }, response) => {
    if (body.length === 0) return false;
    const { messages }: { messages: { content: string }[] } = JSON.parse(body.toString());
    const wish = messages[0]?.content ?? '';
    const message = { role: 'assistant', content: wish.startsWith('long') ? LONG : `As to ${wish}.` };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    return true;
  });
  return baseUrl;
}

interface Serving {
  readonly ask: (wish: string) => Promise<string>;
  readonly end: (signal: NodeJS.Signals) => Promise<CommandResult>;
}

/** `chat-conformance mock`, ready. */
async function serving(...args: readonly string[]): Promise<Serving> {
  const child = spawnCommand(['mock', ...args], { CHAT_API_KEY: 'the-key-of-the-service' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const result = resultOf(child);
  if (child.stdout === null) throw new Error('it has no stdout');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, keys }: { url: string; keys: Record<string, string> } = JSON.parse(String(line));
  const ask = async (wish: string): Promise<string> => {
    const answer = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys['primary']}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'any-1', messages: [{ role: 'user', content: wish }] }),
    });
    return answer.text();
  };
  const end = (signal: NodeJS.Signals): Promise<CommandResult> => {
    child.kill(signal);
    return result;
  };
  return { ask, end };
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

test('loses none but the answer that was being written when the recording was killed, and says so', async () => {
  const file = join(temporaryFolder(), 'recording.json');
  const args = ['--record', await startUpstream(), '--recording', file];
  const wishes: string[] = [];
  // A kill may come between two writes: another is tried.
  for (let n = 1; n === 1 || (n < 20 && isJson(readFileSync(file, 'utf8'))); n += 1) {
    const { ask, end } = await serving(...args);
    wishes.push(`wish ${n}`);
    await ask(`wish ${n}`);
    const before = sizeOf(file);
    const asked = ask(`long wish ${n}`).catch(() => {});
    while (sizeOf(file) === before) await nextTurn();
    await end('SIGKILL');
    await asked;
  }
  const warning = `mock: ${file}: ignored the last line, which is incomplete\n`;
  const alone = await serving('--world', file);
  for (const wish of wishes) expect(await alone.ask(wish)).toContain(`As to ${wish}.`);
  expect((await alone.end('SIGTERM')).stderr).toContain(warning);
  const again = await serving(...args);
  await again.ask('one more');
  expect((await again.end('SIGTERM')).stderr).toContain(warning);
  expect(JSON.parse(readFileSync(file, 'utf8')).answers.at(-1)).toMatchObject({ text: 'As to one more.' });
}, 120_000);
