import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FAULTS } from '../../../mock-server/faults/fault-catalogue.ts';
import { startMock } from '../../../mock-server/start-mock.ts';
import { readRecipes } from './cookbook/read-recipes.ts';
import { runRecipe } from './cookbook/run-recipe.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/cookbook.md', import.meta.url), 'utf8');
const RECIPES = readRecipes(DOCUMENT);
const [, COMMAND = ''] = /```sh\n([^]*?)```/.exec(DOCUMENT) ?? [];
const [, CHAT = ''] = /-d '(.*)'/.exec(COMMAND) ?? [];

test('sends the request that the cookbook prints', async () => {
  const mock = await startMock();
  const env = { ...process.env, MOCK: mock.origin };
  const { stdout } = await promisify(execFile)('sh', ['-c', COMMAND], { env });
  await mock.close();
  expect(stdout).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*"choices"/);
});

test.each(RECIPES)('makes the recipe happen: $title', async (recipe) => {
  await expect(runRecipe(recipe, CHAT)).resolves.toBeUndefined();
});

/** As a renderer of Markdown names the anchor of a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

test('finds every recipe by a symptom', () => {
  const [, index = ''] = /^## By symptom\n([^]*?)^## /m.exec(DOCUMENT) ?? [];
  const linked = new Set([...index.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor));
  const anchors = RECIPES.map(({ title }) => anchorOf(title));
  expect(linked).toEqual(new Set(anchors));
  expect(RECIPES.length).toBeGreaterThanOrEqual(60);
});

test('has a recipe for every fault', () => {
  const lines = RECIPES.flatMap(({ steps }) => steps.map(({ text }) => text)).join('\n');
  expect(Object.keys(FAULTS).filter((fault) => !new RegExp(`\\b${fault}\\b`).test(lines))).toEqual([]);
});

test.each([
  [['fault: rate_limit times=1', 'send: chat', 'sees: 200'], '200; came: '],
  [['fault: rate_limit model=vista-1', 'send: chat'], 'rule_1 was never used'],
  [['serves: soup'], 'no line of a recipe: serves: soup'],
  [['send: chat', 'workspace: no debit'], 'no debit'],
  [['send: chat', 'sees: soup'], 'nobody sees "soup"'],
  [['send: soup'], 'nothing to send: soup'],
  [['run: curl $CONTROL/faults -d \'{"fault":"none"}\''], '"error"'],
])('fails given an untrue recipe: %j', async (lines, message) => {
  const tried = async (): Promise<void> => {
    const document = `### Untrue\n\n\`\`\`recipe\n${lines.join('\n')}\n\`\`\`\n`;
    for (const recipe of readRecipes(document)) await runRecipe(recipe, CHAT, 1000);
  };
  await expect(tried).rejects.toThrow(message);
});
