import { createPrivateKey, createPublicKey, generateKeyPair, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { createSecureContext, type SecureContext, type TlsOptions } from 'node:tls';
import { promisify } from 'node:util';
import forge from 'node-forge';
import type { Certified } from '../faults/compile-faults.ts';
import type { CertificateFlaw } from '../faults/fault.ts';

/** A certificate and its private key, as PEM. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

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
  const authority = await makeAuthority();
  // A client sends no name for a literal address.
  const addresses = Object.values(networkInterfaces()).flatMap((of = []) => of.map(({ address }) => address));
  const names = [...new Set(['localhost', hostname(), host, '127.0.0.1', '::1', ...addresses])];
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

const DAY_MS = 24 * 60 * 60 * 1000;
/** From the first to the second of these days, from today. Clients refuse more than 398 days. */
const VALID = { expired: [-30, -1], 'not-yet-valid': [1, 30], now: [-1, 396] } as const;

/**
 * An authority for one mock, with a fresh key, which never leaves the memory of this process. Nobody trusts it who was not
 * told to: `ca` is its certificate, as PEM. It issues certificates for DNS names and IP addresses; with a flaw, those that
 * a client must refuse.
 */
export async function makeAuthority() {
  const [own, issued] = await Promise.all([makeKeys(), makeKeys()]);
  const name = `chat-conformance mock ${randomBytes(4).toString('hex')}`;
  const root = draft(own, name, name, VALID.now);
  root.setExtensions([
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  const authorityKeyId = root.generateSubjectKeyIdentifier().getBytes();
  return {
    ca: signed(root, own),
    issue(names: readonly string[], flaw?: CertificateFlaw): KeyedCertificate {
      const isAlone = flaw === 'untrusted';
      const days = flaw === 'expired' || flaw === 'not-yet-valid' ? VALID[flaw] : VALID.now;
      const certificate = draft(issued, 'mock', isAlone ? 'mock' : name, days);
      certificate.setExtensions([
        { name: 'basicConstraints', cA: false, critical: true },
        { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
        { name: 'extKeyUsage', serverAuth: true },
        { name: 'subjectAltName', altNames: (flaw === 'other-host' ? [OTHER_HOST] : names).map(alternative) },
        ...(isAlone ? [] : [{ name: 'authorityKeyIdentifier', keyIdentifier: authorityKeyId }]),
      ]);
      return { cert: signed(certificate, isAlone ? issued : own), key: issued.privateKey };
    },
  };
}

interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The RSA of node-forge would take seconds to draw a key, and it knows no other kind. */
function makeKeys(): Promise<KeyPair> {
  return promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
}

function draft({ publicKey }: KeyPair, subject: string, issuer: string, days: readonly [number, number]) {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  // Its first bit is 0: a serial number is positive.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  const [notBefore, notAfter] = days.map((day) => new Date(Date.now() + day * DAY_MS));
  Object.assign(certificate.validity, { notBefore, notAfter });
  certificate.setSubject([{ name: 'commonName', value: subject }]);
  certificate.setIssuer([{ name: 'commonName', value: issuer }]);
  return certificate;
}

function signed(certificate: forge.pki.Certificate, { privateKey }: KeyPair): string {
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}

const OTHER_HOST = 'other-host.test';
/** Kinds of names in a certificate (RFC 5280). */
const DNS_NAME = 2;
const IP_ADDRESS = 7;

function alternative(name: string): object {
  return isIP(name) === 0 ? { type: DNS_NAME, value: name } : { type: IP_ADDRESS, ip: name };
}
