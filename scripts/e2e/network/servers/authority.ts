import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from './programs.ts';

/** Files of a certificate and its key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority of the tests, and what it has issued. */
export interface Authority extends Certificate {
  readonly folder: string;
  /** `names`: as subjectAltName has them, such as `DNS:gateway.test`; `days`: below 0 for one that has expired. */
  readonly issue: (name: string, names: string, days?: number) => Certificate;
  readonly remove: () => void;
}

function openssl(...args: readonly string[]): void {
  execFileSync(program('openssl'), args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export function makeAuthority(name = 'Test authority'): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  const place = (file: string): string => join(folder, file);
  const [cert, key] = [place('ca.pem'), place('ca.key')];
  openssl('req', '-x509', ...KEY, '-subj', `/CN=${name}`, '-days', '30', '-keyout', key, '-out', cert);
  const issue = (of: string, names: string, days = 30): Certificate => {
    const own = { cert: place(`${of}.pem`), key: place(`${of}.key`) };
    writeFileSync(place(`${of}.ext`), `subjectAltName=${names}\n`);
    openssl('req', ...KEY, '-subj', `/CN=${of}`, '-keyout', own.key, '-out', place(`${of}.csr`));
    const by = ['-CA', cert, '-CAkey', key, '-CAcreateserial', '-days', String(days)];
    openssl(
      'x509',
      '-req',
      '-in',
      place(`${of}.csr`),
      ...by,
      '-extfile',
      place(`${of}.ext`),
      '-out',
      own.cert,
    );
    // haproxy wants both in one file.
    writeFileSync(place(`${of}.both`), readFileSync(own.cert, 'utf8') + readFileSync(own.key, 'utf8'));
    return own;
  };
  return { folder, cert, key, issue, remove: () => rmSync(folder, { recursive: true }) };
}

/** The file that has a certificate and its key one after the other. */
export function bothIn({ cert }: Certificate): string {
  return cert.replace(/\.pem$/, '.both');
}
