import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { bundlePage } from '../../mock-server/inspector/bundle-page.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The command first, then what package.json exports, then what is started or loaded by its place: see `ownModule`. */
const ENTRIES = [
  'scripts/chat-conformance.ts',
  'scripts/index.ts',
  'scripts/checks.ts',
  'scripts/vitest-checks.ts',
  'scripts/caller/openai-driver.ts',
  'scripts/caller/judge/mock-per-test.ts',
  'scripts/caller/judge/use-mock-node-test.ts',
  'scripts/caller/judge/use-mock-vitest.ts',
  'scripts/cli/config/define-config.ts',
];

/**
 * Writes the product into one folder, emptied first: few modules start twice as fast as hundreds.
 * All stand side by side, so that each finds the others and the page beside itself.
 */
export function bundleInto(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES,
    outdir: folder,
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    packages: 'external',
    alias: { 'node:http': './scripts/build/node-http.ts' },
    // Only a mock that runs from its sources bundles the page.
    external: ['./bundle-page.ts'],
    charset: 'utf8',
    logLevel: 'warning',
  });
  chmodSync(join(folder, 'chat-conformance.js'), 0o755);
  mkdirSync(join(folder, 'page'));
  for (const [name, text] of Object.entries(bundlePage())) writeFileSync(join(folder, 'page', name), text);
}

/** Run by `npm run build`, before the compiler adds the types. */
if (import.meta.main) bundleInto(join(ROOT, 'dist'));
