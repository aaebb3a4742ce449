import { existsSync } from 'node:fs';
import { beforeAll, beforeEach } from 'vitest';

const PLACES = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Programs of others that the tests of the network run, by the package of Debian that has them. */
const PACKAGES = {
  nginx: 'nginx-light',
  haproxy: 'haproxy',
  tinyproxy: 'tinyproxy',
  squid: 'squid',
  openssl: 'openssl',
  varnishd: 'varnish',
} as const;

export type Program = keyof typeof PACKAGES;

/** Where a program is; undefined where this machine does not have it. */
function placeOf(name: Program): string | undefined {
  return PLACES.map((folder) => `${folder}/${name}`).find((place) => existsSync(place));
}

/** How to get the programs that are missing; undefined where all are here. */
function howToGet(programs: readonly Program[]): string | undefined {
  const missing = programs.filter((each) => placeOf(each) === undefined);
  if (missing.length === 0) return undefined;
  const packages = missing.map((each) => PACKAGES[each]).join(' ');
  const are = missing.length === 1 ? 'is' : 'are';
  return `${missing.join(', ')} ${are} not here: apt-get install --no-install-recommends ${packages} (CONTRIBUTING.md)`;
}

/**
 * Why tests that need these programs are skipped; undefined where they run.
 * @throws {Error} Where `CI` is set and one is missing.
 */
function lacking(...programs: readonly Program[]): string | undefined {
  const reason = howToGet(programs);
  if (reason !== undefined && process.env['CI'] !== undefined) throw new Error(reason);
  return reason;
}

/**
 * Skips the tests of a file where one of these programs is missing, and says how to get it. Returns whether they are
 * here: only then servers can be started.
 * @throws {Error} Where `CI` is set and one is missing.
 */
export function skipWithout(...programs: readonly Program[]): boolean {
  const reason = lacking(...programs);
  beforeAll(() => {
    if (reason !== undefined) process.stderr.write(`skipped: ${reason}\n`);
  });
  beforeEach(({ skip }) => skip(reason !== undefined, reason));
  return reason === undefined;
}

/** @throws {Error} Where it is not on this machine. */
export function program(name: Program): string {
  const place = placeOf(name);
  if (place === undefined) throw new Error(howToGet([name]));
  return place;
}
