import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import axe from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../../mock-server/start-mock.ts';
import { readWorld } from '../../../mock-server/world/world-file.ts';
import { listening } from '../../../suites/engine/test-support/service.ts';
import type { MockFlags } from '../../cli/options/command-tables.ts';
import { packageVersion } from '../../cli/terminal/own-package.ts';
import { NO_BROWSER, startChromium } from '../page/chromium.ts';
import { HOSTILE_WORDS } from '../page/hostile-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';
import { inspect, type Inspected, rowsOf } from './inspected.ts';

/** What a page evaluates, with axe in it, to everything that is wrong with it. */
const WRONG = "axe.run({ resultTypes: ['violations'] })";

let browser: Browser | undefined;
/** One page for all tests: a window of its own for each would take as much time as the test. */
let window: Page | undefined;

beforeAll(async () => {
  browser = await startChromium();
  if (browser === undefined) return void process.stderr.write(`skipped: ${NO_BROWSER}\n`);
  const permissions = ['clipboard-read', 'clipboard-write'];
  window = await (await browser.newContext({ permissions })).newPage();
});

beforeEach(({ skip }) => skip(browser === undefined, NO_BROWSER));

afterAll(async () => browser?.close());

/** An inspector whose page may complain of nothing, and asks nobody else for anything. */
async function opened(flags: MockFlags = {}): Promise<Inspected> {
  if (window === undefined) throw new Error(NO_BROWSER);
  await window.setViewportSize({ width: 1280, height: 800 });
  const inspected = await inspect(window, flags);
  onTestFinished(async () => {
    await inspected.close();
    expect(inspected.complaints).toEqual([]);
  });
  return inspected;
}

const copied = ({ page }: Inspected): Promise<string> => page.evaluate('navigator.clipboard.readText()');
const detailOf = ({ page }: Inspected): Promise<string> => page.getByRole('complementary').innerText();
const view = ({ page }: Inspected, name: string): Promise<void> =>
  page.getByRole('link', { name, exact: true }).click();
const button = ({ page }: Inspected, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

test('shows requests of all worlds as they come, with what became of them, and no key', async () => {
  const inspected = await opened({ fault: ['connection_closed phase=after-debit times=1'] });
  const { page, mock, chat } = inspected;
  await page.getByText('No request yet').waitFor();
  await chat('order-1');
  await chat('order-1');
  await chat('order-2', {}, 'sk-live-unknown-0123');
  const sandbox = mock.sandboxes.create({ id: 'blue' });
  await chat('order-3', {}, sandbox?.service.world.keys[0]?.key, `${mock.origin}/sandboxes/blue/v1`);
  await expect
    .poll(() => rowsOf(page))
    .toEqual([
      expect.stringMatching(/blue POST \/chat\/completions Hello, .* compact-1 primary 200 .* order-3$/),
      expect.stringMatching(
        /POST \/chat\/completions Hello, \(a key\) compact-1 401 invalid_key .* order-2$/,
      ),
      expect.stringMatching(
        /POST \/chat\/completions Hello, \(a key\) compact-1 primary 200 .* 2\/2 order-1$/,
      ),
      expect.stringMatching(
        /POST \/chat\/completions Hello, .* cut charged .* −\d+ 1\/2 order-1 rule_1 connection_closed$/,
      ),
    ]);
  await page.locator('.row', { hasText: '1/2' }).click();
  await expect
    .poll(() => detailOf(inspected))
    .toMatch(
      /succeeded: \d+ reserved, \d+ debited[^]*2 requests with this[^]*after-debit\s[^]*connection_closed \(rule_1\)[^]*Bearer \(a key: primary\)[^]*Hello, \(a key\)/,
    );
  await page.getByRole('link', { name: '2 requests with this Idempotency-Key' }).click();
  await expect.poll(() => rowsOf(page)).toHaveLength(2);
  await page.locator('.row', { hasText: '2/2' }).click();
  await expect.poll(() => detailOf(inspected)).toContain('replayed: the stored answer');
  const shown: string = await page.evaluate('document.documentElement.outerHTML');
  for (const key of [...Object.values(mock.keys), 'sk-live-unknown-0123']) expect(shown).not.toContain(key);
});

test('shows hostile words as text', async () => {
  const inspected = await opened({ answer: [`text=${JSON.stringify(HOSTILE_WORDS)}`] });
  const { page, chat } = inspected;
  const order = '<img src=x onerror=globalThis.ran=1>';
  await chat(order, { messages: [{ role: 'user', content: HOSTILE_WORDS }] });
  await expect.poll(() => rowsOf(page)).toEqual([expect.stringContaining(order)]);
  await page.locator('.row').click();
  await expect.poll(async () => (await detailOf(inspected)).split('<script>')).toHaveLength(3);
  await view(inspected, 'Rules');
  await page.getByText('<script>').waitFor();
  expect(await page.evaluate('globalThis.ran')).toBeUndefined();
});

test('draws the latest of many requests, and reaches and filters them by keyboard', async () => {
  const inspected = await opened();
  const { page, mock } = inspected;
  const { journal } = mock.sandboxes.root;
  const seen = { method: 'GET', url: '/v1/models', body: null, rawHeaders: [] };
  const come = (from: number, to: number): void => {
    for (let n = from; n <= to; n += 1)
      journal?.begin({ ...seen, requestId: `req_${n}`, idempotencyKey: `order-${n}` }).ended('answered', 1);
  };
  const chosen = (): Promise<string> => page.locator('.row.chosen').innerText();
  come(1, 1000);
  await page.getByText('1000 of 1000').waitFor();
  expect(await page.locator('.row').count()).toBe(200);
  expect((await rowsOf(page))[0]).toContain('order-1000');
  await page.getByRole('searchbox', { name: 'Filter' }).focus();
  // Save HAR, the list.
  for (let stop = 0; stop < 2; stop += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await expect.poll(chosen).toContain('order-801');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.row').count()).toBe(400);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowDown');
  await expect.poll(chosen).toContain('order-800');
  await expect.poll(() => detailOf(inspected)).toContain('req_800\n');
  await page.keyboard.press('Home');
  await expect.poll(chosen).toContain('order-1000');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
  await page.getByRole('searchbox', { name: 'Filter' }).fill('order:order-77');
  await page.getByText('11 of 1000').waitFor();
  come(1001, 1001);
  await page.getByText('11 of 1001').waitFor();
});

test('keeps tab, world, filter and request in its address, and says why a list is empty', async () => {
  const inspected = await opened({ fault: ['rate_limit contains=snow'] });
  const { page, mock, chat } = inspected;
  await chat('order-1', { messages: [{ role: 'user', content: 'Is there snow in Oslo?' }] });
  await chat('order-2', { messages: [{ role: 'user', content: 'Is it cold in Oslo?' }] });
  mock.sandboxes.create({ id: 'blue' });
  const filter = page.getByRole('searchbox', { name: 'Filter' });
  for (const [text, found] of [
    ['oslo COLD', [expect.stringContaining('order-2')]],
    ['code:rate_limit', [expect.stringMatching(/snow .* 429 rate_limit .* rule_1 rate_limit$/)]],
    ['colour:red', []],
  ] as const) {
    await filter.fill(text);
    await expect.poll(() => rowsOf(page)).toEqual(found);
  }
  await page.getByText(/Nothing matches. Words .* with is, text, code/).waitFor();
  await button(inspected, 'Show all');
  await expect.poll(() => rowsOf(page)).toHaveLength(2);
  await filter.fill('snow');
  await page.locator('.row').click();
  await expect.poll(() => detailOf(inspected)).toContain('order-1');
  await page.reload();
  await expect.poll(() => detailOf(inspected)).toContain('order-1');
  expect(await rowsOf(page)).toHaveLength(1);
  await page.goBack();
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
  await filter.fill('');
  await page.getByLabel('World').selectOption('Sandbox blue');
  await page
    .getByText(`No request yet in Sandbox blue. Point a client at ${mock.origin}/sandboxes/blue/v1`)
    .waitFor();
  await view(inspected, 'Rules');
  await page.getByRole('heading', { name: 'Sandbox blue' }).waitFor();
  mock.sandboxes.delete('blue');
  await page.getByText('Sandbox blue is not there').waitFor();
  await page.goBack();
  await page.goBack();
  await expect.poll(() => page.getByLabel('World').inputValue()).toBe('All worlds');
  await view(inspected, 'World');
  await expect.poll(() => page.getByLabel('World').inputValue()).toBe("The mock's own world");
});

test('arms rules by a form that the declaration makes, shows what they hit, copies and disarms them', async () => {
  const inspected = await opened();
  const { page, chat, mock } = inspected;
  const { root } = mock.sandboxes;
  await view(inspected, 'Rules');
  const field = (name: string): Locator => page.getByLabel(name, { exact: true });
  const alert = (name: string): Promise<string> => page.locator(`#about-${name} [role=alert]`).innerText();
  const line = page.getByLabel('Rule, as for --fault');
  await field('fault').selectOption('rate_limit');
  await page.getByText('Retry-After: seconds').waitFor();
  await field('times').fill('0');
  await field('model').fill('compact');
  await button(inspected, 'Arm');
  await expect.poll(() => alert('times')).toMatch(/^expected a whole number/);
  await field('times').fill('1');
  await button(inspected, 'Arm');
  await expect.poll(() => alert('model')).toMatch(/^no model of this world.*compact-1/);
  await line.fill('rate_limit colour=red');
  await page.keyboard.press('Enter');
  await page.locator('form > [role=alert]').getByText('/colour').waitFor();
  await line.fill('rate_limit after=1 times=1');
  await field('per').selectOption('key');
  expect(await line.inputValue()).toBe('rate_limit after=1 times=1 per=key');
  await button(inspected, 'Arm');
  await page.getByText('Armed: rate_limit').waitFor();
  await page.getByLabel('Plan').selectOption('answers');
  await field('text').fill('It rains.');
  await field('headers').fill('x-cache: a hit');
  await field('times').fill('1');
  await button(inspected, 'Arm');
  await page.getByText('Armed: text="It rains." headers.x-cache="a hit" times=1').waitFor();
  await chat('order-1');
  await chat('order-2');
  expect(root.journal?.entries().map(({ status }) => status)).toEqual([200, 429]);
  await expect
    .poll(() => page.locator('tbody').innerText())
    .toMatch(
      /rule_1\s+rate_limit .*per=key\s+2\s+1\s+spent[^]*answer_1\s+.*text="It rains.".*\s+1\s+1\s+spent/,
    );
  await button(inspected, 'Copy as a world');
  await page.getByText('Copied').waitFor();
  const file = join(temporaryFolder(), 'world.json');
  await writeFile(file, await copied(inspected));
  expect(await readWorld(file)).toMatchObject({
    faults: [{ fault: 'rate_limit', match: { per: 'key' }, after: 1 }],
    answers: [{ text: 'It rains.', times: 1 }],
  });
  await page.getByRole('link', { name: '1: requests of answer_1' }).click();
  await expect.poll(() => rowsOf(page)).toEqual([expect.stringMatching(/order-1 answer_1$/)]);
  await view(inspected, 'Rules');
  await button(inspected, 'Disarm rule_1');
  await expect.poll(() => root.service.faults.rules()).toEqual([]);
  await button(inspected, 'Disarm all');
  await page.getByText('No rule is armed').waitFor();
});

test('makes of a request another one, and the answer to others like it; parts a cut answer', async () => {
  const inspected = await opened({
    answer: [String.raw`text="It \"rains\",\nhere." times=1`],
    fault: ['stream_cut events=2 times=1'],
  });
  const { page, chat, mock } = inspected;
  const sent = (): unknown =>
    mock.sandboxes.root.journal
      ?.entries()
      .map(({ idempotencyKey, answer, ledger }) => [idempotencyKey, answer, ledger.length]);
  await chat('order-1', { stream: true });
  await page.locator('.row').click();
  await page.getByText(/^\d+ of \d+ bytes of the body left\./).waitFor();
  expect(await page.locator('pre:has(del)').innerText()).toMatch(/^data: [^]*rains/);
  expect(await page.locator('del').innerText()).toMatch(/^data: (?![^]*rains)[^]*\[DONE\]/);
  await button(inspected, 'Send again');
  await expect.poll(sent).toEqual([
    ['order-1', 'answer_1', 2],
    ['order-1', null, 0],
  ]);
  await page.getByRole('link', { name: 'Answer like this' }).click();
  await button(inspected, 'Arm');
  await page.getByText(String.raw`Armed: text="It \"rains\",\nhere." contains="Hello, "`).waitFor();
  await page.goBack();
  await button(inspected, 'Send with a new key');
  await expect.poll(sent).toMatchObject([{}, {}, [expect.stringMatching(/^again-/), 'answer_2', 2]]);
});

test('shows the failures that the judge found first, with timeline and remedy, and the requests that they name', async () => {
  const inspected = await opened({ judge: true, fault: ['gateway_failure phase=after-debit times=1'] });
  const { page, chat } = inspected;
  const hello = { messages: [{ role: 'user', content: 'Hello' }] };
  await chat('order-1', hello);
  // What a person looks at here is no lookup of the caller.
  await view(inspected, 'World');
  await page.getByText('Workspace main').waitFor();
  await chat('order-2', hello);
  await view(inspected, 'Judge');
  await expect
    .poll(() => page.locator('dl > div').first().innerText())
    .toMatch(/^fail\s[^]*CALL-2[^]*the work of #1 sent[^]*»\s+\d\.\d+ s\s+#2 POST/);
  await expect.poll(() => page.getByText(/^Remedy: /).count()).toBeGreaterThan(0);
  const verdicts = await page.locator('dt').allInnerTexts();
  expect(verdicts.lastIndexOf('fail')).toBeLessThan(verdicts.indexOf('pass'));
  await page.getByRole('link', { name: '#2' }).first().click();
  await expect.poll(() => detailOf(inspected)).toContain('order-2');
});

test('resolves requests under review, makes, deletes and resets worlds', async () => {
  const inspected = await opened({ fault: ['timeout times=2'] });
  const { page, chat, mock } = inspected;
  const { sandboxes } = mock;
  await chat('order-1');
  await chat('order-2');
  await page.getByRole('searchbox', { name: 'Filter' }).fill('is:under-review');
  await page.locator('.row', { hasText: 'order-1' }).click();
  await button(inspected, 'Completed: debit it');
  await expect.poll(() => detailOf(inspected)).toMatch(/succeeded: \d+ reserved, \d+ debited/);
  await page.locator('.row', { hasText: 'order-2' }).click();
  await button(inspected, 'Failed: release it');
  await page.getByText('0 of 2').waitFor();
  expect(sandboxes.root.service.ledger.entries().map(({ state }) => state)).toEqual(['succeeded', 'failed']);
  await view(inspected, 'World');
  const debited = sandboxes.root.service.ledger.account('main')?.debited;
  await expect
    .poll(() => page.getByRole('region', { name: 'Workspace main' }).innerText())
    .toMatch(new RegExp(`Held\\s+0\\s+Debited\\s+${debited}\\s`));
  await button(inspected, 'New sandbox');
  await page.getByText('There is a new sandbox').waitFor();
  await button(inspected, 'New sandbox');
  const asked: string[] = [];
  const answers = [false, true, false, true];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void (answers.shift() === true ? dialog.accept() : dialog.dismiss());
  });
  await button(inspected, 'Delete s1');
  await button(inspected, 'Delete s1');
  await expect.poll(() => sandboxes.list().map(({ id }) => id)).toEqual(['s2']);
  await page.getByRole('link', { name: 's2' }).click();
  await page.getByText(`${mock.origin}/sandboxes/s2/v1`).waitFor();
  await page.getByLabel('World').selectOption("The mock's own world");
  await button(inspected, 'Reset, and delete all sandboxes');
  expect(sandboxes.list()).toHaveLength(1);
  await button(inspected, 'Reset, and delete all sandboxes');
  await page.getByText("The mock's own world is as it was").waitFor();
  expect([...new Set(asked)]).toEqual([
    'Delete Sandbox s1 with its requests and its workspace?',
    expect.stringMatching(/^Reset, and delete all sandboxes\? The mock's own world loses/),
  ]);
  expect(sandboxes.list()).toEqual([]);
  await view(inspected, 'Requests');
  await page.getByText('No request yet').waitFor();
});

test('copies a request as a curl command that gets the same answer, and saves a HAR', async () => {
  const inspected = await opened({ fault: ['gateway_failure phase=before-headers body=text times=2'] });
  const { page, chat, mock } = inspected;
  await chat('it\'s "order" $1', { messages: [{ role: 'user', content: "It's \n $HOME" }] });
  await page.locator('.row').click();
  await button(inspected, 'Copy as curl');
  await page.getByText('Copied: as curl').waitFor();
  const env = { ...process.env, CHAT_API_KEY: mock.keys['primary'] };
  const { stdout } = await promisify(execFile)('sh', ['-c', await copied(inspected)], { env });
  expect(stdout).toMatch(/^HTTP\/1.1 502 [^]*502 Bad Gateway/);
  const [first, again] = mock.sandboxes.root.journal?.records() ?? [];
  expect(again?.entry.idempotencyKey).toBe(first?.entry.idempotencyKey);
  expect(again?.arrival?.body).toEqual(first?.arrival?.body);
  // The page draws the second one a moment later.
  await page.locator('.row').nth(1).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), button(inspected, 'Save HAR')]);
  expect(download.suggestedFilename()).toBe('requests.har');
  expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
    log: {
      creator: { version: packageVersion() },
      entries: [{ request: { method: 'POST' }, response: { status: 502 } }, {}],
    },
  });
});

test.each([
  ['light', { width: 1280, height: 800 }],
  ['dark', { width: 390, height: 780 }],
] as const)(
  'has nothing that axe finds wrong, and nothing wider than the window: %s, %o',
  async (colorScheme, viewport) => {
    const inspected = await opened({ judge: true, fault: ['timeout times=1', 'rate_limit after=1 times=1'] });
    const { page, chat } = inspected;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe.source);
    for (const order of ['order-1', 'order-1', 'order-2', 'order-3']) await chat(order, { top_p: 1 });
    const audit = async (): Promise<void> => {
      const { violations }: { violations: { id: string; nodes: { html: string }[] }[] } =
        await page.evaluate(WRONG);
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    };
    await expect.poll(() => rowsOf(page)).toHaveLength(4);
    await audit();
    await page.locator('.row').first().click();
    await page.getByText('Course').waitFor();
    await audit();
    for (const [name, text] of [
      ['World', 'Base URL'],
      ['Judge', 'CALL-4'],
      ['Rules', 'rule_2'],
    ] as const) {
      await view(inspected, name);
      await page.getByText(text).waitFor();
      await audit();
    }
    await page.getByLabel('fault', { exact: true }).selectOption('gateway_failure');
    await page.getByLabel('status', { exact: true }).fill('99');
    await button(inspected, 'Arm');
    await page.getByText('expected a whole number').waitFor();
    await audit();
  },
);

test('asks for the token where the mock wants one, and says so when it is wrong', async () => {
  const { page, chat } = await opened({ controlToken: 't0ken' });
  await page.getByLabel('Control token').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('does not accept this token').waitFor();
  await page.getByLabel('Control token').fill('t0ken');
  await page.keyboard.press('Enter');
  await chat('order-1');
  await expect.poll(() => rowsOf(page)).toEqual([expect.stringContaining('order-1')]);
  await page.locator('.row').click();
  await page.getByText('succeeded: ').waitFor();
});

test('obeys no page of another origin, however it asks', async () => {
  const { page, mock, chat } = await opened();
  await chat('order-1');
  const elsewhere = await listening(createServer((_, response) => response.end('<p>Elsewhere')));
  const other = await page.context().newPage();
  onTestFinished(() => other.close());
  await other.goto(elsewhere.replace('127.0.0.1', 'localhost'));
  const got = await other.evaluate(`Promise.all([
    fetch('${mock.control}/reset', { method: 'POST', mode: 'no-cors' }),
    fetch('${mock.control}/faults', { method: 'POST', mode: 'no-cors', body: '{"fault":"rate_limit"}' }),
    fetch('${mock.control}/journal').catch(() => 'unread'),
    new Promise((done) => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      frame.onload = () => done(frame.contentDocument === null ? 'foreign' : 'own');
      frame.src = '${mock.ui}';
    }),
  ]).then((all) => all.map((each) => each.type ?? each))`);
  expect(got).toEqual(['opaque', 'opaque', 'unread', 'foreign']);
  expect(mock.sandboxes.root.journal?.came).toBe(1);
  expect(mock.sandboxes.root.service.faults.rules()).toEqual([]);
});

test('comes back when the mock is started again, and forgets the requests of the other one', async () => {
  const { page, mock, chat } = await opened();
  await chat('order-1');
  await expect.poll(() => rowsOf(page)).toHaveLength(1);
  await mock.close();
  await page.getByText('Disconnected').waitFor();
  const again = await startMock({ port: mock.port, control: true });
  onTestFinished(() => again.close());
  await page.getByText('Live').waitFor();
  await page.getByText('No request yet').waitFor();
  await chat('order-2');
  await expect.poll(() => rowsOf(page)).toEqual([expect.stringContaining('order-2')]);
});
