import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NO_BROWSER, startChromium } from '../page/chromium.ts';
import { inspect, type Inspected } from './inspected.ts';
import { smallPng } from './small-png.ts';

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
  for (let order = 10; order <= 14; order += 1) await chat(`order-${order}`, { stream: order % 3 === 0 });
}

const SIZES = {
  inspector: { width: 1280, height: 720 },
  'inspector-phone': { width: 390, height: 700 },
} as const;

const browser = await startChromium();
if (browser === undefined) throw new Error(NO_BROWSER);
mkdirSync(FOLDER, { recursive: true });
for (const [name, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const inspected = await inspect(browser, { fault: FAULT }, { viewport, colorScheme });
    await traffic(inspected);
    const { page } = inspected;
    await page.locator('.row', { hasText: 'order-3' }).first().click();
    await page.getByText('the answer has left whole').waitFor();
    await page.mouse.move(0, 0);
    writeFileSync(
      join(FOLDER, `${name}-${colorScheme}.png`),
      await smallPng(browser, await page.screenshot()),
    );
    await inspected.close();
  }
}
await browser.close();
