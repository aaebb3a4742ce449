const WORDS = ['amber', 'basin', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heath', 'inlet', 'jetty'];

/**
 * A text of about so many tokens of four bytes, in words and numbers that do not repeat, so that no counting
 * rule makes much less of it.
 */
export function longText(tokens: number): string {
  const parts: string[] = [];
  for (let bytes = 0, i = 0; bytes < tokens * 4; i += 1) {
    const part = `${WORDS[i % WORDS.length] ?? ''} ${(i * 7919) % 9973},`;
    parts.push(part);
    bytes += part.length + 1;
  }
  return `${parts.join(' ')} and no more. Answer in one word.`;
}
