import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';

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

const MANIFEST: Readonly<
  Record<'allowScripts' | 'dependencies' | 'peerDependencies', Readonly<Record<string, unknown>>>
> = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

test('lets no package run an install script', () => {
  expect(Object.values(MANIFEST.allowScripts)).not.toContain(true);
});

test('imports nothing that its user does not install', () => {
  const built = globSync(join(inject('installed'), 'dist', '*.js')).map((file) => readFileSync(file, 'utf8'));
  const imports = /^import .*?from "([^"]+)";|^import "([^"]+)";|\bimport\("([^"]+)"\)/gm;
  const names = built.flatMap((text) =>
    [...text.matchAll(imports)].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? ''),
  );
  const packages = new Set(names.filter((name) => !name.startsWith('.') && !isBuiltin(name)));
  const given = { ...MANIFEST.dependencies, ...MANIFEST.peerDependencies };
  expect(packages.size).toBeGreaterThan(5);
  expect([...packages].filter((name) => !Object.hasOwn(given, name))).toEqual([]);
});
