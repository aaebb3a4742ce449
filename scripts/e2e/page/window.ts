import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A window of a browser in which one page after the other is read. */
export interface Window {
  /** Opens an address afresh: on a screen of ordinary width, in light, all as it was folded. */
  readonly open: (address: string) => Promise<Page>;
  /** What pages did besides being shown: requests for anything else, dialogs, complaints, failures of scripts. */
  readonly deeds: readonly string[];
}

const ORDINARY = { viewport: { width: 1200, height: 900 }, media: 'screen', colorScheme: 'light' } as const;

function deedsOf(page: Page, isWanted: (url: string) => boolean): readonly string[] {
  const deeds: string[] = [];
  page.on('request', (request) => {
    if (!isWanted(request.url())) deeds.push(request.url());
  });
  page.on('console', (message) => deeds.push(message.text()));
  page.on('pageerror', (error) => deeds.push(error.message));
  page.on('dialog', (dialog) => {
    deeds.push(dialog.message());
    void dialog.dismiss();
  });
  return deeds;
}

export async function openWindow(browser: Browser, options: BrowserContextOptions): Promise<Window> {
  const page = await (await browser.newContext(options)).newPage();
  let wanted = '';
  const open = async (address: string): Promise<Page> => {
    wanted = address;
    await page.setViewportSize(ORDINARY.viewport);
    await page.emulateMedia(ORDINARY);
    await page.goto(address);
    return page;
  };
  return { open, deeds: deedsOf(page, (url) => url === wanted) };
}

/** Unfolds everything, as a reader could. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
}
