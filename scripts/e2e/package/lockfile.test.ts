import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly version?: string;
}

const LOCKFILE: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
  readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8'),
);
const INSTALLED = Object.entries(LOCKFILE.packages).filter(([place]) => place.includes('node_modules/'));

test('holds a hash of every package that npm downloads', () => {
  const downloaded = INSTALLED.filter(([, { link }]) => link !== true);
  expect(downloaded.length).toBeGreaterThan(100);
  const without = downloaded.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'));
  expect(without.map(([place]) => place)).toEqual([]);
});

test('holds no address of a registry', () => {
  const addressed = INSTALLED.filter(([, { resolved = '' }]) => resolved.includes('://'));
  expect(addressed.map(([place]) => place)).toEqual([]);
});

test('lets no package run an install script', () => {
  const manifest: { readonly allowScripts: Readonly<Record<string, boolean>> } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  expect(Object.values(manifest.allowScripts)).not.toContain(true);
});
