import { fileURLToPath } from 'node:url';
import { NO_BROWSER, startChromium } from '../page/chromium.ts';
import { inspect, type Inspected } from './inspected.ts';

/** Takes the pictures of the inspector that the documentation shows: `npm run screenshots`. */
const FOLDER = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

const FAULT = [
  'gateway_failure phase=after-debit after=2 times=1',
  'rate_limit after=4 times=1',
  'timeout model=standard-1 times=1',
  'stream_cut events=3 times=1',
];

/** What a client with troubles sends. */
async function traffic({ chat }: Inspected): Promise<void> {
  for (let order = 1; order <= 5; order += 1) await chat(`order-${order}`);
  await chat('order-3');
  await chat('order-6', { stream: true });
  await chat('order-7', { model: 'standard-1' });
  await chat('order-7', { model: 'standard-1' });
  await chat('order-8', { top_p: 1 });
  await chat('order-9', {}, 'sk-a-key-of-someone-else');
}

const browser = await startChromium();
if (browser === undefined) throw new Error(NO_BROWSER);
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 600 }, colorScheme });
  const inspected = await inspect(page, { fault: FAULT });
  await traffic(inspected);
  await page.locator('.row', { hasText: '1/2 order-3' }).click();
  await page.getByText('the answer has left whole').waitFor();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `${FOLDER}inspector-${colorScheme}.png` });
  await page.close();
  await inspected.close();
}
await browser.close();
