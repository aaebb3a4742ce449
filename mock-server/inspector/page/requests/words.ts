import type { JournalEntry } from '../../../journal/journal.ts';

export function clockTime(ms: number): string {
  const time = new Date(ms);
  const parts = [time.getHours(), time.getMinutes(), time.getSeconds()];
  const whole = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return `${whole}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

/** Three digits are enough to compare. */
export function durationText(ms: number | null): string {
  if (ms === null) return '…';
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms >= 100 ? `${ms.toFixed(0)} ms` : `${ms.toFixed(ms >= 10 ? 1 : 2)} ms`;
}

/** How a request ended, in a word. */
export function statusOf({ status, ended }: JournalEntry): { readonly text: string; readonly tone: Tone } {
  if (ended === null) return { text: status === null ? '…' : `${status}…`, tone: 'idle' };
  if (ended === 'cut') return { text: status === null ? 'cut' : `${status} cut`, tone: 'bad' };
  if (ended === 'silent') return { text: 'silent', tone: 'bad' };
  if (ended === 'client-gone') return { text: 'left', tone: 'warn' };
  // A handshake.
  if (status === null) return { text: 'done', tone: 'good' };
  return { text: String(status), tone: toneOf(status) };
}

export type Tone = 'good' | 'warn' | 'bad' | 'idle';

function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

/** The path without what all paths share. */
export function shortPath(path: string): string {
  return path.replace(/^\/v1(?=\/)/, '');
}
