import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readScenarioFile } from '../../../mock-server/faults/scenario-file.ts';
import { readRecipes } from '../../../mock-server/inspector/read-recipes.ts';
import { startMock } from '../../../mock-server/start-mock.ts';
import type { MockFlags } from '../../cli/options/command-tables.ts';
import { NO_BROWSER, startChromium } from '../page/chromium.ts';
import { inspect, type Inspected, rowsOf } from './inspected.ts';

/** What a page evaluates, with axe in it, to everything that is wrong with it. */
const WRONG = "axe.run({ resultTypes: ['violations'] })";

const COOKBOOK = readFileSync(new URL('../../../docs/cookbook.md', import.meta.url), 'utf8');
/** Those that need no option of the mock. */
const STEPS = readRecipes(COOKBOOK)
  .map(({ steps }) => steps)
  .filter((steps) => steps.every(({ verb }) => verb !== 'mock'))
  .flat();

let browser: Browser | undefined;

beforeAll(async () => {
  browser = await startChromium();
  if (browser === undefined) process.stderr.write(`skipped: ${NO_BROWSER}\n`);
});

beforeEach(({ skip }) => skip(browser === undefined, NO_BROWSER));

afterAll(async () => browser?.close());

/** Nothing that the page does may go wrong, or anywhere else. */
async function opened(flags: MockFlags = {}): Promise<Inspected> {
  if (browser === undefined) throw new Error(NO_BROWSER);
  const inspected = await inspect(browser, flags, {
    permissions: ['clipboard-read', 'clipboard-write'],
    // It does not know the authority of a mock that speaks TLS.
    ignoreHTTPSErrors: true,
  });
  onTestFinished(async () => {
    await inspected.close();
    expect(inspected.complaints).toEqual([]);
  });
  return inspected;
}

const copied = ({ page }: Inspected): Promise<string> => page.evaluate('navigator.clipboard.readText()');

test('shows requests of all worlds as they come, with what became of them, and no key', async () => {
  const inspected = await opened({ fault: ['connection_closed phase=after-debit times=1'] });
  const { page, mock, chat } = inspected;
  await page.getByText('No request yet').waitFor();
  await chat('order-1');
  await chat('order-1');
  await chat('order-2', {}, 'sk-live-unknown-0123');
  const sandbox = mock.sandboxes.create({ id: 'blue' });
  await fetch(`${mock.origin}/sandboxes/blue/v1/models`, {
    headers: { authorization: `Bearer ${sandbox?.service.world.keys[0]?.key}` },
  });
  await expect
    .poll(() => rowsOf(page))
    .toEqual([
      expect.stringMatching(
        /POST \/chat\/completions compact-1 primary cut .* −\d+ 1\/2 order-1 connection_closed after-debit$/,
      ),
      expect.stringMatching(/POST \/chat\/completions compact-1 primary 200 .* 2\/2 order-1$/),
      expect.stringMatching(/POST \/chat\/completions 401 .* order-2$/),
      expect.stringMatching(/blue GET \/models primary 200/),
    ]);
  await page.locator('.row').first().click();
  const detail = page.getByRole('complementary');
  await expect
    .poll(() => detail.innerText())
    .toMatch(
      /succeeded: \d+ reserved, \d+ debited[^]*replayed: the stored answer[^]*after-debit\s+connection_closed \(rule_1\)/,
    );
  await page.getByRole('tab', { name: 'Request', exact: true }).click();
  await expect.poll(() => detail.innerText()).toContain('Hello, (a key)');
  expect(await detail.innerText()).toContain('Bearer (a key: primary)');
  await page.getByRole('combobox', { name: 'World' }).selectOption('Sandbox blue');
  await expect.poll(() => rowsOf(page)).toHaveLength(1);
  const shown: string = await page.evaluate('document.documentElement.outerHTML');
  for (const key of [...Object.values(mock.keys), 'sk-live-unknown-0123']) expect(shown).not.toContain(key);
});

test('draws a few of ten thousand requests, and reaches the first and the last by keyboard', async () => {
  const { page, mock } = await opened();
  const { journal } = mock.sandboxes.root;
  await page.getByText('Live').waitFor();
  for (let n = 1; n <= 10_000; n += 1)
    journal
      ?.begin({
        requestId: `req_${n}`,
        idempotencyKey: `order-${n}`,
        method: 'GET',
        url: '/v1/models',
        body: null,
        rawHeaders: [],
      })
      .ended('answered', 1);
  await expect.poll(() => page.locator('.shown').innerText()).toBe('10,000');
  await expect.poll(async () => (await rowsOf(page)).at(-1)).toContain('order-10000');
  expect(await page.locator('.row').count()).toBeLessThan(80);
  await page.getByRole('searchbox').focus();
  for (let stop = 0; stop < 20 && (await page.evaluate('document.activeElement.role')) !== 'grid'; stop += 1)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Home');
  await expect.poll(() => page.locator('.row[aria-selected=true]').innerText()).toContain('order-1');
  await expect.poll(() => page.getByRole('complementary').innerText()).toContain('req_1\n');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('End');
  await expect.poll(() => page.locator('.row[aria-selected=true]').innerText()).toContain('order-10000');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
  await page.getByRole('searchbox').fill('order:order-77');
  await expect.poll(() => page.locator('.shown').innerText()).toBe('111 of 10,000');
});

test('arms a recipe with one click and a fault from the form, shows what triggered them, and disarms', async () => {
  const { page, chat, mock } = await opened();
  const { sandboxes } = mock;
  await page.getByRole('tab', { name: 'Cookbook' }).click();
  await page.getByLabel('Find a recipe').fill('my client hangs');
  await page.getByText('A stream that stalls', { exact: true }).waitFor();
  await page.getByLabel('Find a recipe').fill('The same page after the debit');
  await expect.poll(() => page.locator('.recipes .card').count()).toBe(1);
  await page.getByRole('button', { name: 'Arm' }).click();
  await page.getByText('Armed: The same page after the debit').waitFor();
  await chat('order-1');
  await page.getByRole('tab', { name: 'Faults' }).click();
  await page.getByLabel('fault', { exact: true }).selectOption('rate_limit');
  await page.getByLabel('after', { exact: true }).fill('1');
  await expect
    .poll(() => page.getByLabel('Rule, as for --fault').inputValue())
    .toBe('rate_limit times=1 after=1');
  await page.getByLabel('per', { exact: true }).selectOption('key');
  await page.getByRole('button', { name: 'Arm', exact: true }).click();
  await page.getByText('Armed: rate_limit').waitFor();
  await chat('order-2');
  await chat('order-3');
  expect(sandboxes.root.journal?.entries().map(({ status }) => status)).toEqual([502, 200, 429]);
  await expect
    .poll(() => page.locator('tbody').innerText())
    .toMatch(/rule_1[^]*\b1\s+1\s+spent[^]*rule_2[^]*\b2\s+1\s+spent/);
  await page.getByRole('button', { name: '1: show the requests that triggered rule_2' }).click();
  await expect.poll(() => rowsOf(page)).toEqual([expect.stringContaining('order-3')]);
  await page.getByRole('tab', { name: 'Faults' }).click();
  await page.getByLabel('Rule, as for --fault').fill('rate_limit phase=inside-body');
  await page.getByRole('button', { name: 'Arm', exact: true }).click();
  await page.getByText('impossible for rate_limit').waitFor();
  await page.getByRole('button', { name: 'Disarm rule_1' }).click();
  await expect.poll(() => sandboxes.root.service.faults.rules().map(({ id }) => id)).toEqual(['rule_2']);
});

test('arms every recipe that arms anything', async () => {
  const { page, mock } = await opened();
  const { sandboxes } = mock;
  const scenarios = STEPS.filter(({ verb }) => verb === 'scenario').map(({ text }) => JSON.parse(text));
  const lines = STEPS.filter(({ verb }) => verb === 'fault').length;
  const expected = lines + scenarios.reduce((sum, { faults }) => sum + faults.length, 0);
  await page.getByRole('tab', { name: 'Cookbook' }).click();
  for (const button of await page.getByRole('button', { name: 'Arm' }).all()) await button.click();
  const armed = (): number =>
    [sandboxes.root, ...sandboxes.list()].reduce(
      (sum, { service }) => sum + service.faults.rules().length,
      0,
    );
  await expect.poll(armed).toBe(expected);
  expect(sandboxes.list()).toHaveLength(scenarios.length);
});

test('arms a recipe of handshakes in the own world of a mock that speaks TLS, and shows whom it met', async () => {
  const { page, mock, chat } = await opened({ tls: true });
  expect(mock.ui).toMatch(/^https:/);
  await page.getByRole('tab', { name: 'World' }).click();
  await page.getByRole('button', { name: 'New sandbox' }).click();
  await expect.poll(() => mock.sandboxes.list()).toHaveLength(1);
  await page.getByRole('tab', { name: 'Cookbook' }).click();
  await page.locator('.card', { hasText: 'A certificate that has expired' }).getByRole('button').click();
  await page.getByText('Armed: A certificate that has expired').waitFor();
  await chat('order-1');
  await page.getByRole('tab', { name: 'Requests' }).click();
  await page.getByRole('combobox', { name: 'World' }).selectOption('all');
  // The browser has broken handshakes off, too.
  await expect
    .poll(() => rowsOf(page))
    .toContainEqual(expect.stringMatching(/TLS handshake.*wrong_certificate/));
});

test('says why a mock without TLS arms no recipe of handshakes', async () => {
  const { page, mock } = await opened();
  await page.getByRole('tab', { name: 'Cookbook' }).click();
  await page.locator('.card', { hasText: 'A certificate that has expired' }).getByRole('button').click();
  await page.getByText('possible only with --tls').waitFor();
  expect(mock.sandboxes.root.service.faults.rules()).toEqual([]);
});

test('makes a sandbox for a recipe with a world of its own', async () => {
  const { page, mock } = await opened();
  await page.getByRole('tab', { name: 'Cookbook' }).click();
  await page.getByLabel('Find a recipe').fill('asks for by its model');
  await page.getByRole('button', { name: 'Arm' }).click();
  await page.getByText('Armed in the new sandbox s1').waitFor();
  await expect.poll(() => page.getByRole('combobox', { name: 'World' }).inputValue()).toBe('sandbox s1');
  expect(mock.sandboxes.get('s1')?.service.world.choices.faults.models).toBe('allow');
});

test('resolves a request under review, moves the clock and resets the world', async () => {
  const { page, chat, mock } = await opened({ fault: ['timeout times=2'] });
  const { sandboxes } = mock;
  await chat('order-1');
  await chat('order-2');
  await page.getByRole('button', { name: 'under review' }).click();
  await page.locator('.row').first().click();
  await page.getByRole('button', { name: 'Completed: debit it' }).click();
  await expect
    .poll(() => page.getByRole('complementary').innerText())
    .toMatch(/succeeded: \d+ reserved, \d+ debited/);
  await page.getByRole('tab', { name: 'Workspace' }).click();
  await page.getByRole('button', { name: 'Failed: release it' }).click();
  await expect
    .poll(() => sandboxes.root.service.ledger.entries().map(({ state }) => state))
    .toEqual(['succeeded', 'failed']);
  await page.getByText('No request. One whose answer was lost').waitFor();
  await page.getByRole('tab', { name: 'World' }).click();
  await page.getByRole('button', { name: '+ 24 h' }).click();
  await page.getByText('2026-01-02 00:00:00.000').waitFor();
  await page.getByRole('button', { name: 'New sandbox' }).click();
  await page.getByText('Sandbox s1 is there').waitFor();
  await page.getByRole('combobox', { name: 'World' }).selectOption("The mock's own world");
  await page.getByRole('button', { name: 'Reset, and delete all sandboxes' }).click();
  await page.getByText('2026-01-01 00:00:00.000').waitFor();
  expect(sandboxes.list()).toEqual([]);
  await page.getByRole('tab', { name: 'Requests' }).click();
  await page.getByRole('button', { name: 'under review' }).click();
  await page.getByText('No request yet').waitFor();
});

test('copies a request as a curl command that gets the same answer, and as a scenario', async () => {
  const inspected = await opened({ fault: ['gateway_failure phase=before-headers body=text times=2'] });
  const { page, chat, mock } = inspected;
  await chat('it\'s "order" $1', { messages: [{ role: 'user', content: "It's \n $HOME" }] });
  await page.locator('.row').first().click();
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByText('Copied: as curl').waitFor();
  const env = { ...process.env, CHAT_API_KEY: mock.keys['primary'] };
  const { stdout } = await promisify(execFile)('sh', ['-c', await copied(inspected)], { env });
  expect(stdout).toMatch(/^HTTP\/1.1 502 [^]*502 Bad Gateway/);
  const [first, again] = mock.sandboxes.root.journal?.writers() ?? [];
  expect(again?.entry.idempotencyKey).toBe(first?.entry.idempotencyKey);
  await page.getByRole('button', { name: 'Copy as a scenario' }).click();
  await page.getByText('Copied: as a scenario').waitFor();
  const folder = await mkdtemp(join(tmpdir(), 'scenario-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'scenario.json'), await copied(inspected));
  expect(await readScenarioFile(join(folder, 'scenario.json'))).toMatchObject({
    seed: 1,
    faults: [{ fault: 'gateway_failure', phase: 'before-headers', body: 'text', times: 2 }],
  });
});

test('shows the verdicts of the judge', async () => {
  const { page, chat } = await opened({ judge: true });
  await chat('order-1');
  await chat('order-1', { top_p: 1 });
  await page.getByRole('tab', { name: 'Judge' }).click();
  await expect.poll(() => page.locator('.verdicts').innerText()).toMatch(/fail\s[^]*CALL-4/);
});

const VIEWS = ['Requests', 'Workspace', 'Faults', 'Cookbook', 'World', 'Judge'];

test.each([
  ['light', { width: 1280, height: 800 }],
  ['dark', { width: 390, height: 780 }],
] as const)(
  'has nothing that axe finds wrong, and nothing wider than the window: %s, %o',
  async (colorScheme, viewport) => {
    const { page, chat } = await opened({
      judge: true,
      fault: ['timeout times=1', 'rate_limit after=1 times=1'],
    });
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe.source);
    for (const order of ['order-1', 'order-1', 'order-2', 'order-3']) await chat(order, { stream: true });
    const audit = async (): Promise<void> => {
      const { violations }: { violations: { id: string; nodes: { html: string }[] }[] } =
        await page.evaluate(WRONG);
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    };
    for (const name of VIEWS) {
      await page.getByRole('tab', { name }).click();
      if (name === 'Requests') {
        await page.locator('.row').first().click();
        await page.getByText('Course').waitFor();
      }
      if (name === 'Judge') await page.locator('.verdicts li').first().waitFor();
      await audit();
    }
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
  await page.locator('.row').first().click();
  await page.getByText('succeeded: ').waitFor();
});

test('obeys no page of another origin, however it asks', async () => {
  const { page, mock, chat } = await opened();
  await chat('order-1');
  const elsewhere = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<p>Elsewhere'),
  ).listen(0, '127.0.0.1');
  onTestFinished(() => void elsewhere.close());
  await once(elsewhere, 'listening');
  const address = elsewhere.address();
  const other = await page.context().newPage();
  await other.goto(`http://localhost:${typeof address === 'object' ? address?.port : ''}`);
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
  expect(mock.sandboxes.root.service.faults.isEmpty).toBe(true);
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
