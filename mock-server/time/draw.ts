/**
 * Numbers drawn from one 32-bit word (xorshift, Marsaglia 2003): the same word, the same numbers, and nothing shared.
 * `draw(n)` is a whole number from 0 to n - 1.
 */
export function createDraw(word: number): (n: number) => number {
  // Zero is the one state that xorshift never leaves.
  let state = word >>> 0 || 0x9e3779b9;
  return (n) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % n;
  };
}
