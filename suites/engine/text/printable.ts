/** Control, format, lone surrogate, line separator, paragraph separator, and noncharacter. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{NChar}]/gu;

/** Ends of lines, and the styles of `TextStyle`. */
// oxlint-disable-next-line eslint/no-control-regex -- the styles begin with one
const OURS = /(\n|\u001b\[(?:[12]|22|3[12369])m)/;

/** A runner of GitHub Actions takes the first at the beginning of a line, after white space, and the second anywhere. */
const WORKFLOW_COMMANDS = /^([^\S\r\n\u2028\u2029]*):(?=:)|#(?=#\[)/gm;

/**
 * Makes text that we did not write safe to set into a line of ours: what moves the cursor, changes colours, turns the
 * direction of writing or is invisible becomes an escape. Keeps at most `longest` UTF-16 units, and says how many it left
 * out.
 */
export function printable(text: string, longest = 600): string {
  const kept = truncate(text, longest);
  const visible = kept.replaceAll(UNSEEN, escaped);
  return kept.length === text.length ? visible : `${visible}… (${text.length - kept.length} more characters)`;
}

/**
 * Lines of ours as a terminal and the log of a job may have them, whatever stands in them: nothing but our styles moves
 * or colours, and in a job of GitHub Actions nothing is a workflow command.
 */
export function safeLines(text: string, environment = process.env): string {
  const parts = text.split(OURS).map((part, i) => (i % 2 === 1 ? part : part.replaceAll(UNSEEN, escaped)));
  const visible = parts.join('');
  if (!isJob(environment)) return visible;
  return visible.replaceAll(
    WORKFLOW_COMMANDS,
    (found, before: string = '') => before + inHex(found.at(-1) ?? ''),
  );
}

/** Whether this is a job of GitHub Actions, which reads commands in what is printed. */
export function isJob(environment: NodeJS.ProcessEnv): boolean {
  return environment['GITHUB_ACTIONS'] === 'true';
}

const SHORT: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};

/** As JSON escapes, so that JSON text keeps its meaning. */
function escaped(character: string): string {
  return SHORT[character] ?? inHex(character);
}

function inHex(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => String.raw`\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** The beginning of a text, of at most `longest` UTF-16 units; splits no character. */
export function truncate(text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}
