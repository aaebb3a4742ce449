import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certified } from '../../../mock-server/faults/rule.ts';
import type { MockOptions } from '../../../mock-server/start-mock.ts';
import { readText } from '../../../suites/kit/files/read-json-file.ts';
import { UsageError } from '../terminal/exit.ts';

/** The value of `--tls`: `true` alone, or the files of a certificate and its key. */
export type TlsFlag = true | string | undefined;

export function certifiedBy(tls: TlsFlag): Certified {
  if (tls === undefined) return undefined;
  return tls === true ? 'own' : 'given';
}

/** Throws a UsageError for files that are no certificate with its key. */
export async function tlsOption(tls: TlsFlag): Promise<Pick<MockOptions, 'tls'>> {
  if (tls === undefined) return {};
  if (tls === true) return { tls };
  const [certFile = '', keyFile = certFile] = tls.split(',');
  const given = { cert: read(certFile), key: read(keyFile) };
  const { givenCertificate } = await import('../../../mock-server/tls/certificates.ts');
  try {
    givenCertificate(given);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--tls ${tls}: no certificate with its key, as PEM (${reason})`);
  }
  return { tls: given };
}

function read(path: string): string {
  try {
    return readText(path);
  } catch {
    throw new UsageError(`--tls: cannot read ${JSON.stringify(path)}`);
  }
}

/** A file by which clients trust the mock, as long as it runs. */
export interface TrustFile {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

export async function writeTrustFile(ca: string): Promise<TrustFile> {
  const folder = await mkdtemp(join(tmpdir(), 'chat-conformance-'));
  const path = join(folder, 'ca.pem');
  await writeFile(path, ca);
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}
