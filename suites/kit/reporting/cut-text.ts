/** The beginning of a text, of at most so many UTF-16 units, that splits no character. */
export function cutText(text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}
