import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { PageFile } from './serve-page.ts';

const ROOT = new URL('../../', import.meta.url);
const at = (path: string): string => fileURLToPath(new URL(path, ROOT));
const read = (path: string): string => readFileSync(at(path), 'utf8');

/** Packages of which the page holds parts. Their licences require a notice. */
const BUNDLED = ['preact', 'eventsource-parser'];

export function bundlePage(): Readonly<Record<PageFile, string>> {
  const licences = BUNDLED.map((name) => `${name}\n${read(`node_modules/${name}/LICENSE`)}`).join('\n');
  const { version }: { version: string } = JSON.parse(read('package.json'));
  const { outputFiles } = buildSync({
    entryPoints: ['inspector.tsx', 'inspector.css'].map((name) => at(`mock-server/inspector/page/${name}`)),
    tsconfig: at('mock-server/inspector/page/tsconfig.json'),
    bundle: true,
    define: { RELEASE: JSON.stringify(version) },
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    charset: 'utf8',
    outdir: at('dist'),
    logLevel: 'silent',
    banner: { js: `/* ${licences.replaceAll('*/', '* /')} */` },
  });
  const text = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return {
    'index.html': read('mock-server/inspector/page/index.html'),
    'icon.svg': read('mock-server/inspector/page/icon.svg'),
    'inspector.js': text('.js'),
    'inspector.css': text('.css'),
  };
}
