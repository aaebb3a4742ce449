import { generateKeyPair, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import forge from 'node-forge';
import type { CertificateFlaw } from '../faults/fault.ts';

/** A certificate and its private key, as PEM. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Issues certificates for one mock. Nobody trusts it who was not told to. */
export interface Authority {
  /** Its own certificate, as PEM: who trusts it accepts the others. */
  readonly ca: string;
  /** For DNS names and IP addresses; with a flaw, one that a client must refuse. */
  issue(names: readonly string[], flaw?: CertificateFlaw): KeyedCertificate;
}

interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Clients refuse certificates that are valid for more than 398 days. */
const VALID_DAYS = 397;
const OTHER_HOST = 'other-host.test';

/** Makes an authority with a fresh key, which never leaves the memory of this process. */
export async function makeAuthority(): Promise<Authority> {
  const [own, issued] = await Promise.all([makeKeys(), makeKeys()]);
  const name = `chat-conformance mock ${randomBytes(4).toString('hex')}`;
  const root = draft(own, name, name, [-1, VALID_DAYS]);
  root.setExtensions([
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  const authorityKeyId = root.generateSubjectKeyIdentifier().getBytes();
  return {
    ca: signed(root, own),
    issue(names, flaw) {
      const isAlone = flaw === 'untrusted';
      const certificate = draft(issued, 'mock', isAlone ? 'mock' : name, validity(flaw));
      certificate.setExtensions([
        { name: 'basicConstraints', cA: false, critical: true },
        { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
        { name: 'extKeyUsage', serverAuth: true },
        { name: 'subjectAltName', altNames: alternatives(flaw === 'other-host' ? [OTHER_HOST] : names) },
        ...(isAlone ? [] : [{ name: 'authorityKeyIdentifier', keyIdentifier: authorityKeyId }]),
      ]);
      return { cert: signed(certificate, isAlone ? issued : own), key: issued.privateKey };
    },
  };
}

/** The RSA of node-forge would take seconds to draw a key, and it knows no other kind. */
function makeKeys(): Promise<KeyPair> {
  return promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
}

/** From the first to the second of these days, from today. */
type Days = readonly [from: number, until: number];

function validity(flaw: CertificateFlaw | undefined): Days {
  if (flaw === 'expired') return [-30, -1];
  return flaw === 'not-yet-valid' ? [1, 30] : [-1, VALID_DAYS - 1];
}

function draft({ publicKey }: KeyPair, subject: string, issuer: string, days: Days): forge.pki.Certificate {
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

const DNS_NAME = 2;
const IP_ADDRESS = 7;

function alternatives(names: readonly string[]): readonly object[] {
  return names.map((name) =>
    isIP(name) === 0 ? { type: DNS_NAME, value: name } : { type: IP_ADDRESS, ip: name },
  );
}
