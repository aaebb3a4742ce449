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

/** Reads the verdicts back from `junit.xml`. */
export function verdictsInJunit(text: string): DisplayedVerdicts {
  const cases = text.matchAll(
    /<testcase name="([\w-]+): [^>]*>(?:<(failure|error)|<skipped message="([^":]*))?/g,
  );
  return Object.fromEntries(
    Array.from(cases, ([, id = '', problem, skipped = 'pass']) => [
      id,
      problem === 'failure' ? 'fail' : (problem ?? skipped),
    ]),
  );
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
