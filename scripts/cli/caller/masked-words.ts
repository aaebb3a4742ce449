/** What the name of an option or variable ends in whose value is nobody's business. */
const SECRET_NAME = /(?:key|token|secret|password|passwd|credentials?|auth|authorization|bearer)$/i;

/** How keys of common services begin, and what else only a secret looks like. */
const SECRET =
  /\b(?:sk|pk|rk|gh[opsu]|xox[abp]|glpat|mock)[-_][\w-]{8,}|\bAKIA\w{12,}|(?<=\bbearer\s+)[^\s'"]+/gi;

const MASK = '…';

/**
 * The words of a command line as they may be shown: what looks like a secret, or follows a name that does, is a mask.
 */
export function maskedWords(words: readonly string[]): readonly string[] {
  return words.map((word, index) => {
    const before = words[index - 1] ?? '';
    if (before.startsWith('-') && SECRET_NAME.test(before) && !word.startsWith('-')) return MASK;
    const [name = '', ...value] = word.split('=');
    if (value.length > 0 && /^[\w-]+$/.test(name) && SECRET_NAME.test(name)) return `${name}=${MASK}`;
    return word.replaceAll(SECRET, MASK);
  });
}
