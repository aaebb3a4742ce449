import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const NO_BROWSER =
  'no browser is here: apt-get install chromium, or say in CHROMIUM where one is (CONTRIBUTING.md)';

/**
 * Starts the browser of this machine; undefined where there is none, which is no reason to keep anybody from
 * running the other tests.
 * @throws {Error} Where `CI` is set and there is none, and where `CHROMIUM` names what cannot be started.
 */
export async function startChromium(): Promise<Browser | undefined> {
  const executablePath = process.env['CHROMIUM'] || PLACES.find((place) => existsSync(place));
  if (executablePath !== undefined) return chromium.launch({ executablePath });
  if (process.env['CI'] !== undefined) throw new Error(NO_BROWSER);
  return undefined;
}
