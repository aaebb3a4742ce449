import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chatDraft } from '../inputs/provoking/chat-drafts.ts';
import { sentRequest } from '../sending/sent-request.ts';
import { sentEntry } from './entries.ts';
import { journalOn } from './write-journal.ts';

const SENT = sentEntry('a/0/0', sentRequest(chatDraft({ content: 'Hello.' })));

function opened(file: string) {
  const fd = openSync(file, 'a');
  onTestFinished(() => closeSync(fd));
  return journalOn(fd, { file, isDurable: true });
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'journal-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test('has written a line when append returns', () => {
  const file = join(folder(), 'journal.ndjson');
  const journal = opened(file);
  journal.append(SENT);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^\{"type":"sent","id":"a\/0\/0".*Hello\..*\}\n$/);
  expect(journal.failure()).toBeUndefined();
});

test('says which file and why, and keeps it, given a full disk', () => {
  const journal = opened('/dev/full');
  journal.append(SENT);
  expect(journal.failure()).toBe('the journal /dev/full cannot be written (ENOSPC)');
  journal.append({ type: 'finished', durationMs: 1, cutShort: [] });
  expect(journal.failure()).toContain('ENOSPC');
});

test('says so given a file that was removed meanwhile', () => {
  const made = folder();
  const file = join(made, 'journal.ndjson');
  const journal = opened(file);
  journal.append(SENT);
  expect(journal.failure()).toBeUndefined();
  rmSync(made, { recursive: true });
  journal.append(SENT);
  expect(journal.failure()).toBe(`the journal ${file} was removed`);
});
