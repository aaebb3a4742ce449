import { convert } from 'xmlbuilder2';

/** The verdict of each check in a form: `fail`, `fail, known`, `pass` … */
export type DisplayedVerdicts = Readonly<Record<string, string>>;

interface Result {
  readonly id: string;
  readonly verdict: string;
  readonly known?: readonly string[];
}

/** Reads the verdicts back from `report.json`. */
export function verdictsInJson(text: string): DisplayedVerdicts {
  const { checks }: { checks: readonly Result[] } = JSON.parse(text);
  return Object.fromEntries(
    checks.map(({ id, verdict, known }) => [id, known ? `${verdict}, known` : verdict]),
  );
}

interface Case {
  readonly '@name': string;
  readonly failure?: unknown;
  readonly error?: unknown;
  readonly skipped?: { readonly '@message': string };
}

/** Reads the verdicts back from `junit.xml`. */
export function verdictsInJunit(text: string): DisplayedVerdicts {
  const parsed: { testsuites: { testsuite: { testcase: Case | Case[] } } } = JSON.parse(
    convert(text, { format: 'json' }),
  );
  const cases = [parsed.testsuites.testsuite.testcase].flat();
  return Object.fromEntries(cases.map((each) => [each['@name'].split(':', 1)[0], verdictOfCase(each)]));
}

function verdictOfCase({ failure, error, skipped }: Case): string {
  if (failure !== undefined) return 'fail';
  if (error !== undefined) return 'error';
  return skipped === undefined ? 'pass' : (skipped['@message'].split(':', 1)[0] ?? '');
}

/** Reads the verdicts back from the table of all checks in `summary.md`. */
export function verdictsInMarkdown(text: string): DisplayedVerdicts {
  const rows = text.slice(text.indexOf('<details>')).matchAll(/^\| `([\w-]+)` \| [^|]* \| ([^|]*) \|/gm);
  return Object.fromEntries(Array.from(rows, ([, id = '', verdict = '']) => [id, verdict]));
}

/** Reads the verdicts back from the rows of `report.html`. */
export function verdictsInHtml(text: string): DisplayedVerdicts {
  const rows = text.matchAll(
    /<li class="[\w-]+" id="check-([\w-]+)"[^>]*>\s*<span class="verdict">([^<]*)<\/span>/g,
  );
  return Object.fromEntries(Array.from(rows, ([, id = '', verdict = '']) => [id, verdict]));
}

/** Reads the verdicts back from the levels of the annotations, without the checks that have none. */
export function verdictsInAnnotations(lines: readonly string[]): DisplayedVerdicts {
  const WORDS: DisplayedVerdicts = { error: 'fail', warning: 'warn', notice: 'fail, known' };
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, loudness = '', id] = /^::(\w+) title=([\w-]+) \(/.exec(line) ?? [];
      return id === undefined ? [] : [[id, WORDS[loudness] ?? '']];
    }),
  );
}
