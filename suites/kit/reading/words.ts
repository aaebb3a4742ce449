/** The words of a text: long lists of plain names read better as one than between quotes. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
