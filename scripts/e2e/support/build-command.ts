import { chmodSync, copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { bundleInto } from '../../build/bundle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the package as it is installed: its `dist`, its manifest, its dependencies. */
    readonly installed: string;
  }
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const installed = mkdtempSync(join(tmpdir(), 'installed-'));

/** Builds the command that the tests start, and builds it again after each change while they watch. */
export function setup(project: TestProject): void {
  // The user of an image that is built in it must be able to enter.
  chmodSync(installed, 0o755);
  symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'));
  copyFileSync(join(root, 'package.json'), join(installed, 'package.json'));
  const build = (): void => bundleInto(join(installed, 'dist'));
  build();
  project.onTestsRerun(async () => build());
  project.provide('installed', installed);
}

export function teardown(): void {
  rmSync(installed, { recursive: true });
}
