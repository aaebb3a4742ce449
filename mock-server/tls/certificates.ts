import { createPrivateKey, createPublicKey } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import { createSecureContext, type SecureContext, type TlsOptions } from 'node:tls';
import type { Certified } from '../faults/compile-faults.ts';
import type { CertificateFlaw } from '../faults/fault.ts';
import type { KeyedCertificate } from './authority.ts';

/** The certificates that a mock shows. */
export interface Certificates {
  readonly certified: NonNullable<Certified>;
  /** The certificate of the mock's own authority, as PEM; undefined: it has none. */
  readonly ca: string | undefined;
  /** What a server of node:tls needs to show one. */
  shown(flaw: CertificateFlaw | undefined): Pick<TlsOptions, 'cert' | 'key' | 'SNICallback'>;
}

/** The same certificate for every client. Throws Node's error for what is no certificate with its key. */
export function givenCertificate({ cert, key }: KeyedCertificate): Certificates {
  // A context takes an empty text for one that is absent.
  createPrivateKey(key);
  createPublicKey(cert);
  createSecureContext({ cert, key });
  return { certified: 'given', ca: undefined, shown: () => ({ cert, key }) };
}

/** How many certificates are kept for names that clients ask for. */
const MOST_NAMES = 100;

/**
 * Certificates of an authority of the mock's own, for this machine and for every name by which a client asks: in a
 * container, others choose the name of the mock.
 */
export async function ownCertificates(host: string): Promise<Certificates> {
  const { makeAuthority } = await import('./authority.ts');
  const authority = await makeAuthority();
  const names = [...new Set(['localhost', hostname(), host, '127.0.0.1', '::1', ...addresses()])];
  // To issue one takes as long as many handshakes.
  const issued = new Map<string, KeyedCertificate>();
  const issue = (asked: readonly string[], flaw: CertificateFlaw | undefined): KeyedCertificate => {
    const place = `${flaw} ${asked.join(' ')}`;
    const known = issued.get(place) ?? authority.issue(asked, flaw);
    if (issued.size >= MOST_NAMES) issued.clear();
    issued.set(place, known);
    return known;
  };
  const contextOf = (name: string, flaw: CertificateFlaw | undefined): SecureContext | undefined =>
    names.includes(name) ? undefined : createSecureContext({ ...issue([name], flaw) });
  return {
    certified: 'own',
    ca: authority.ca,
    shown: (flaw) => ({
      ...issue(names, flaw),
      SNICallback: (name, found) => found(null, contextOf(name, flaw)),
    }),
  };
}

/** A client sends no name for a literal address. */
function addresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((of = []) => of.map(({ address }) => address));
}
