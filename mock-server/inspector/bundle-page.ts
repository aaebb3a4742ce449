import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { PageFile } from './page-files.ts';
import { readRecipes } from './read-recipes.ts';

const ROOT = new URL('../../', import.meta.url);
const at = (path: string): string => fileURLToPath(new URL(path, ROOT));

/** Packages of which parts stand in the page: their licences want to be told. */
const BUNDLED = ['preact', 'eventsource-parser'];

/** The script of the page, and its style, each in one file, from its sources and the cookbook. */
export function bundlePage(): Readonly<Record<PageFile, string>> {
  const { outputFiles } = buildSync({
    entryPoints: ['inspector.tsx', 'style/inspector.css'].map((name) =>
      at(`mock-server/inspector/page/${name}`),
    ),
    tsconfig: at('mock-server/inspector/page/tsconfig.json'),
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    charset: 'utf8',
    outdir: at('dist'),
    logLevel: 'silent',
    banner: { js: `/* ${licences()} */` },
    define: { RECIPES: JSON.stringify(readRecipes(readFileSync(at('docs/cookbook.md'), 'utf8'))) },
  });
  const text = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return {
    'index.html': readFileSync(at('mock-server/inspector/page/index.html'), 'utf8'),
    'icon.svg': readFileSync(at('mock-server/inspector/page/icon.svg'), 'utf8'),
    'inspector.js': text('.js'),
    'inspector.css': text('.css'),
  };
}

function licences(): string {
  const texts = BUNDLED.map((name) => `${name}\n${readFileSync(at(`node_modules/${name}/LICENSE`), 'utf8')}`);
  return texts.join('\n').replaceAll('*/', '* /');
}
