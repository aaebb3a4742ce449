/** The index that a key leads to from another one; −1: none is chosen. Undefined: the key leads nowhere. */
export function nextChoice(key: string, index: number, length: number, page: number): number | undefined {
  if (length === 0) return undefined;
  const last = length - 1;
  const from = index === -1 ? last : index;
  switch (key) {
    case 'ArrowDown':
      return index === -1 ? last : Math.min(from + 1, last);
    case 'ArrowUp':
      return index === -1 ? last : Math.max(from - 1, 0);
    case 'PageDown':
      return Math.min(from + page, last);
    case 'PageUp':
      return Math.max(from - page, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
