import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Proof } from './proof.ts';
import { proofPage } from './proof-page.ts';

const JSON_FILE = new URL('../../docs/proof.json', import.meta.url);
const PAGE = new URL('../../docs/proof.md', import.meta.url);

/** What was published last; nothing before the first time. */
export function publishedProof(): Proof {
  if (!existsSync(JSON_FILE)) return {};
  const proof: Proof = JSON.parse(readFileSync(JSON_FILE, 'utf8'));
  return proof;
}

/** Puts what was proved of some sizes in the place of what was published of them, and leaves the others. */
export function publishProof(proof: Proof): void {
  const whole = { ...publishedProof(), ...proof };
  writeFileSync(JSON_FILE, `${JSON.stringify(whole)}\n`);
  writeFileSync(PAGE, proofPage(whole));
}
