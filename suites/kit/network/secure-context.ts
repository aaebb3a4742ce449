import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { TlsFiles } from '../model/network.ts';

const contexts = new WeakMap<TlsFiles, SecureContext>();

/**
 * The certificates that a target is trusted by, and those of the client; parsed once.
 * @throws {Error} Given files that are not what they should be, or a wrong passphrase.
 */
export function secureContextOf(files: TlsFiles): SecureContext {
  const known = contexts.get(files);
  if (known !== undefined) return known;
  const { ca, cert, key, pfx, passphrase } = files;
  const context = createSecureContext({
    // An authority of the user's is trusted beside the public ones: a proxy and a control URL may have others.
    ...(ca !== undefined && { ca: [...getCACertificates('default'), ca] }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(pfx !== undefined && { pfx: Buffer.from(pfx) }),
    ...(passphrase !== undefined && { passphrase }),
  });
  contexts.set(files, context);
  return context;
}
