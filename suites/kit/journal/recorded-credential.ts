import type { Credential, ForgedCredential } from '../model/exchange.ts';
import type { RecordedCredential } from './entry.ts';

/** Two keys that have no character in common: what is made of both alike depends on neither. */
const STAND_INS = ['First1Key', 'OTHEr2vAluE'] as const;

/** A credential without anything of a key: a forged one as what stands around the key, where it holds it whole. */
export function recordCredential(credential: Credential): RecordedCredential {
  if (credential.kind !== 'forged') return credential;
  const { header, ...rest } = credential;
  const [around, others] = STAND_INS.map((key) => header(key).split(key));
  return around !== undefined && around.join() === others?.join() ? { ...rest, around } : rest;
}

/** The credential that was recorded. Of a key that was changed only the label is left: it is lost. */
export function credentialOf(recorded: RecordedCredential): Credential {
  if (recorded.kind !== 'forged') return recorded;
  const { around, ...rest } = recorded;
  return { ...rest, header: (key) => around?.join(key) ?? inPlaceOfKey(rest.label) };
}

/** Whether the header cannot be made again from the record. */
export function isLost({ label, header }: ForgedCredential): boolean {
  return header('') === inPlaceOfKey(label);
}

function inPlaceOfKey(label: string): string {
  return `<${label}>`;
}
