import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NO_BROWSER, startChromium } from './chromium.ts';
import { openWindow, unfold, type Window } from './window.ts';
import { addressOf, PAGES, writePages } from './written-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'pages-'));
let browser: Browser | undefined;
/** In the first one a page has no policy: nothing stands between hostile words and being run but their being text. */
let windows: readonly Window[] = [];

beforeAll(async () => {
  browser = await startChromium();
  if (browser === undefined) return void process.stderr.write(`skipped: ${NO_BROWSER}\n`);
  windows = await Promise.all([
    openWindow(browser, { bypassCSP: true }),
    openWindow(browser, {}),
    writePages(folder),
  ]).then(([withoutPolicy, ordinary]) => [withoutPolicy, ordinary]);
});

beforeEach(({ skip }) => skip(browser === undefined, NO_BROWSER));

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** What a page evaluates, with axe in it, to what is wrong with it. */
const WRONG = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join()))`;

const PHONE = { width: 390, height: 844 };

async function open(name: string | undefined): Promise<Page> {
  const [window] = windows;
  if (window === undefined || name === undefined) throw new Error('no window is open');
  return window.open(addressOf(folder, name));
}

/** What an expression comes to for each element that a selector finds. */
function each<Value>(page: Page, selector: string, expression: string): Promise<readonly Value[]> {
  return page.evaluate(
    `Array.from(document.querySelectorAll(${JSON.stringify(selector)}), (each) => ${expression})`,
  );
}

const ELEMENTS =
  'html head meta title style body header h1 h2 h3 span b p dl div dt dd code ul li a main section details summary pre br table thead tbody tr th td footer';
const ATTRIBUTES = 'lang dir charset name content http-equiv class id href open aria-labelledby scope';

/** What of a page is not among these words. */
const beside = (found: readonly string[], words: string): readonly string[] =>
  [...new Set(found)].filter((word) => !words.split(' ').includes(word));

test.each(PAGES)(
  'runs no script, requests and logs nothing, and shows hostile words as text: %s',
  async (name) => {
    for (const window of windows) {
      const page = await window.open(addressOf(folder, name));
      await unfold(page);
      await page.mouse.move(100, 300);
      await page.mouse.wheel(0, 100_000);
      expect(await page.evaluate('globalThis.ran')).toBeUndefined();
      expect(window.deeds).toEqual([]);
    }
    const page = await open(name);
    expect(beside(await each<string>(page, '*', 'each.localName'), ELEMENTS)).toEqual([]);
    const attributes = (await each<readonly string[]>(page, '*', 'each.getAttributeNames()')).flat();
    expect(beside(attributes, ATTRIBUTES)).toEqual([]);
    await unfold(page);
    const text = await page.locator('body').innerText();
    expect(text).toMatch(/<script>(?:globalThis\.ran = 1; )?alert\(1\)<\/script>/);
    expect(text).toContain(String.raw`\u202e`);
    // No character that hides or reverses text.
    expect(text).not.toMatch(/[^\P{C}\n\t]/u);
  },
);

test.each(PAGES)('has a target for each link, each anchor once, and fits a phone: %s', async (name) => {
  const page = await open(name);
  const anchors = await each<string>(page, '[id]', '"#" + each.id');
  const links = await each<string>(page, 'a', 'each.getAttribute("href")');
  expect(new Set(anchors).size).toBe(anchors.length);
  expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
  await page.setViewportSize(PHONE);
  await unfold(page);
  const right = await each<number>(page, 'body *', 'each.getBoundingClientRect().right');
  expect(Math.max(...right)).toBeLessThanOrEqual(PHONE.width);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
});

// All pages are of one template: the small ones have all of its parts, and take axe a fraction of the time.
test.each(PAGES.slice(1))('has nothing that axe finds wrong, in light and dark: %s', async (name) => {
  const page = await open(name);
  await unfold(page);
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await page.evaluate(WRONG)).toEqual([]);
  }
});

test('links a check to its folded clause, and back', async () => {
  const page = await open(PAGES[0]);
  const clause = page.locator('[id="MOD-1"]');
  expect(await clause.isVisible()).toBe(false);
  await page.locator('#check-model-ids-can-be-read').getByRole('link', { name: 'MOD-1' }).click();
  expect(await clause.isVisible()).toBe(true);
  await clause.getByRole('link', { name: 'model-ids-can-be-read' }).click();
  expect(page.url()).toMatch(/#check-model-ids-can-be-read$/);
});

test('has a table of the open points, by their clauses', async () => {
  const page = await open(PAGES.at(-1));
  const table = page.getByRole('table', { name: 'Open points' });
  expect(await table.getByRole('columnheader').allTextContents()).toEqual(['clause', 'point', 'observed']);
  const row = table.getByRole('row').filter({ hasText: 'error.code' });
  const cells = (await row.getByRole('cell').allTextContents()).map((text) => text.trim());
  expect(cells).toEqual(['ERR-9', 'error.code', '"/error/code"']);
});

test('shows the first failure on the first screen of a phone, its evidence unfolded', async () => {
  const page = await open(PAGES[0]);
  await page.setViewportSize(PHONE);
  const failure = page.locator('.rows > .fail').first();
  expect((await failure.boundingBox())?.y).toBeLessThan(PHONE.height / 2);
  expect(await failure.locator('pre').first().isVisible()).toBe(true);
  expect(await page.locator('.rows details[open]').count()).toBe(1);
});
