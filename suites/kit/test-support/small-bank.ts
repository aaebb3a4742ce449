import { once } from 'node:events';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { Bank, type Departures } from './bank.ts';

export interface SmallBank {
  readonly baseUrl: string;
  readonly control: string;
  /** Method and path of every control request, and its bearer token. */
  readonly asked: readonly string[];
  readonly tokens: ReadonlySet<string | undefined>;
  readonly armed: () => unknown;
  /** Credits set aside. */
  readonly held: () => number;
}

/** A whole small service with a workspace and a control URL, on one loopback port until the test ends. */
export async function startSmallBank(departures: Departures = {}): Promise<SmallBank> {
  const bank = new Bank(departures);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => bank.answer(request, Buffer.concat(chunks).toString(), response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server listens at no port');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    baseUrl: `${origin}/v1`,
    control: `${origin}/control`,
    asked: bank.asked,
    tokens: bank.tokens,
    armed: () => bank.rule,
    held: () => bank.held,
  };
}
