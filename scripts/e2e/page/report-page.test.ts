import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NO_BROWSER, startChromium } from './chromium.ts';
import { TEXT_OF_LOW_CONTRAST } from './contrast.ts';
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

const PHONE = { width: 360, height: 740 };
const SCHEMES = ['light', 'dark'] as const;

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

test.each(PAGES)('runs no script of a target, requests nothing and logs nothing: %s', async (name) => {
  for (const window of windows) {
    const page = await window.open(addressOf(folder, name));
    await unfold(page);
    await page.mouse.move(100, 300);
    await page.mouse.wheel(0, 100_000);
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    expect(window.deeds).toEqual([]);
  }
});

const ELEMENTS =
  'html head meta title style body header h1 h2 h3 h4 span b p dl div dt dd code time nav ul li a main section details summary pre br fieldset legend label input table thead tbody tr th td';
const ATTRIBUTES =
  'lang dir charset name content http-equiv class id href type checked autocomplete open aria-label aria-labelledby aria-hidden style scope rowspan title';

test.each(PAGES)('has only the elements and attributes of the report: %s', async (name) => {
  const page = await open(name);
  const elements = await each<string>(page, '*', 'each.localName');
  const attributes = (await each<readonly string[]>(page, '*', 'each.getAttributeNames()')).flat();
  expect([...new Set(elements)].filter((element) => !ELEMENTS.split(' ').includes(element))).toEqual([]);
  expect([...new Set(attributes)].filter((attribute) => !ATTRIBUTES.split(' ').includes(attribute))).toEqual(
    [],
  );
});

test.each(PAGES)(
  'shows hostile words as text, and no character that hides or reverses text: %s',
  async (name) => {
    const page = await open(name);
    await unfold(page);
    const text = await page.locator('body').innerText();
    expect(text).toMatch(/<script>(?:globalThis\.ran = 1; )?alert\(1\)<\/script>/);
    expect(text).toContain(String.raw`\u202e`);
    expect(text).not.toMatch(/[^\P{C}\n\t]/u);
  },
);

test.each(PAGES.slice(0, 3))('has the rows of report.json: %s', async (name) => {
  const file = fileURLToPath(addressOf(folder, name)).replace(/html$/, 'json');
  const report: Record<'checks' | 'clauses', { id: string; verdict: string; missing?: unknown }[]> =
    JSON.parse(readFileSync(file, 'utf8'));
  const page = await open(name);
  const row = '[each.id, each.className + ": " + each.querySelector(".verdict").textContent]';
  const checks = await each<[string, string]>(page, '.checks > li', row);
  const clauses = await each<[string, string]>(page, '.group li', row);
  expect(checks.length + clauses.length).toBe(report.checks.length + report.clauses.length);
  expect(Object.fromEntries([...checks, ...clauses])).toEqual({
    ...Object.fromEntries(report.checks.map(({ id, verdict }) => [`check-${id}`, `${verdict}: ${verdict}`])),
    ...Object.fromEntries(
      report.clauses.map(({ id, verdict, missing }) => [
        id,
        `${verdict}: ${missing === undefined ? verdict : 'passed in part'}`,
      ]),
    ),
  });
});

test.each(PAGES)('has a target for each link, and each anchor once: %s', async (name) => {
  const page = await open(name);
  const anchors = await each<string>(page, '[id]', '"#" + each.id');
  const links = await each<string>(page, 'a', 'each.getAttribute("href")');
  expect(new Set(anchors).size).toBe(anchors.length);
  expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
  expect(links).toContain('#checks');
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

test.each(PAGES)('has headings, landmarks and names for screen readers: %s', async (name) => {
  const page = await open(name);
  for (const role of ['banner', 'main'] as const) expect(await page.getByRole(role).count()).toBe(1);
  expect(await page.getByRole('navigation', { name: 'Contents' }).count()).toBe(1);
  const titles = page.getByRole('heading', { level: 1 });
  expect(await titles.allTextContents()).toEqual([expect.stringMatching(/^Conformance: violations/)]);
  for (const region of ['Checks', 'Clauses'])
    expect(await page.getByRole('region', { name: region, exact: true }).count()).toBe(1);
  expect(await page.getByRole('group', { name: 'Show' }).getByRole('checkbox').count()).toBeGreaterThan(1);
  const levels = await each<number>(page, 'h1, h2, h3, h4', 'Number(each.localName[1])');
  expect(levels.filter((level, i) => level > (levels[i - 1] ?? 0) + 1)).toEqual([]);
});

test('has a table of the open points, by their clauses', async () => {
  const page = await open(PAGES[0]);
  const table = page.getByRole('table', { name: 'Open points' });
  expect(await table.getByRole('columnheader').allTextContents()).toEqual(['Clause', 'Point', 'Observed']);
  expect(await table.getByRole('rowheader', { name: 'ERR-9' }).count()).toBe(1);
  const row = table.getByRole('row').filter({ hasText: 'error.status.unknown_model' });
  const cells = (await row.getByRole('cell').allTextContents()).map((text) => text.trim());
  expect(cells).toEqual(['error.status.unknown_model', '404']);
});

test.each(PAGES)('fits a phone without scrolling sideways, in light and dark: %s', async (name) => {
  const page = await open(name);
  await page.setViewportSize(PHONE);
  await unfold(page);
  const right = await each<number>(page, 'body *', 'each.getBoundingClientRect().right');
  expect(Math.max(...right)).toBeLessThanOrEqual(PHONE.width);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    expect(await page.evaluate(TEXT_OF_LOW_CONTRAST)).toEqual([]);
  }
});

test('unfolds evidence, and the counterpart in it, by the keyboard', async () => {
  const page = await open(PAGES[0]);
  const failed = page.locator('.checks > .fail').first();
  const answer = failed.getByRole('heading', { name: 'Answer' });
  expect(await answer.count()).toBe(0);
  await failed.getByText('Evidence').focus();
  await page.keyboard.press('Enter');
  expect(await answer.count()).toBe(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  expect(await answer.count()).toBe(2);
});

test('hides and shows the checks of a verdict by the keyboard', async () => {
  const page = await open(PAGES[0]);
  const passed = page.locator('.checks > .pass').first();
  await page.getByRole('checkbox', { name: 'passed' }).focus();
  for (const isShown of [false, true]) {
    await page.keyboard.press('Space');
    expect(await passed.isVisible()).toBe(isShown);
    expect(await page.locator('.checks > .fail').first().isVisible()).toBe(true);
  }
});

test('prints folded parts, dark on white, without the navigation', async () => {
  const page = await open(PAGES[0]);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const folded of ['.evidence pre', '[id="MOD-1"]'])
    expect(await page.locator(folded).first().isVisible()).toBe(true);
  for (const useless of ['nav', 'fieldset']) expect(await page.locator(useless).isVisible()).toBe(false);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  expect(await page.evaluate(TEXT_OF_LOW_CONTRAST)).toEqual([]);
});
