import type { Page } from 'playwright-core';
import { type Host, startMock } from '../../../mock-server/start-mock.ts';
import { mockOptions } from '../../cli/mock/mock-options.ts';
import type { MockFlags } from '../../cli/options/command-tables.ts';

/** The inspector of a mock of its own. */
export interface Inspected {
  readonly mock: Host;
  readonly page: Page;
  /** What went wrong in the page, and whatever it asked of anyone but its mock. */
  readonly complaints: readonly string[];
  /** Sends a chat, and resolves when an answer, or none, has come. */
  readonly chat: (idempotencyKey: string, more?: object, key?: string, url?: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Milliseconds that a client of a test waits. */
const PATIENCE = 500;

/** Opens the inspector in a page, which others may use after it. */
export async function inspect(page: Page, flags: MockFlags = {}): Promise<Inspected> {
  const mock = await startMock(await mockOptions({ control: true, ...flags }));
  const complaints: string[] = [];
  // That it asked for what was refused, the browser says itself.
  page.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${mock.origin}/control`) && !url.startsWith('blob:')) complaints.push(url);
  });
  await page.goto(`${mock.ui}`);
  return {
    mock,
    page,
    complaints,
    chat: (...asked) => chat(mock, ...asked),
    close: async () => {
      page.removeAllListeners();
      await mock.close();
    },
  };
}

async function chat(
  mock: Host,
  idempotencyKey: string,
  more: object = {},
  key = mock.keys['primary'] ?? '',
  url = mock.url,
): Promise<void> {
  const request = {
    model: 'compact-1',
    messages: [{ role: 'user', content: `Hello, ${key}` }],
    max_tokens: 40,
  };
  const sent = fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ ...request, ...more }),
    signal: AbortSignal.timeout(PATIENCE),
  });
  await sent.then((answer) => answer.text()).catch(() => {});
}

/** The rows that are drawn, as text: the latest first. */
export function rowsOf(page: Page): Promise<readonly string[]> {
  return page
    .locator('.row')
    .allInnerTexts()
    .then((texts) => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()));
}
