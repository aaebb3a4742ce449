import { childPointer } from '../reading/json.ts';

/** A line of a body. */
export interface BodyLine {
  readonly indent: string;
  readonly text: string;
  /** The JSON pointer of the value that it belongs to, where the body is JSON. */
  readonly at?: string;
}

/** What is nested deeper would be mostly indent. */
const DEEPEST = 30;

const TOKENS = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

/** A body in lines: JSON indented, each name and value as it was sent; anything else as it is. */
export function bodyLines(body: string): readonly BodyLine[] {
  const plain = body.split('\n').map((text) => ({ indent: '', text }));
  try {
    JSON.parse(body);
    return indented(body.match(TOKENS) ?? [], '', '', 0);
  } catch {
    return plain;
  }
}

/**
 * The lines of the next value, whose tokens it takes; `lead`: the name before it.
 * @throws {RangeError} Given what is nested too deep.
 */
function indented(tokens: string[], at: string, lead: string, depth: number): BodyLine[] {
  if (depth > DEEPEST) throw new RangeError('nested too deep');
  const begin = tokens.shift() ?? '';
  const end = { '{': '}', '[': ']' }[begin];
  if (end === undefined) return [{ indent: '', text: lead + begin, at }];
  const members: BodyLine[] = [];
  for (let i = 0; tokens[0] !== end; i += 1) {
    const [name] = end === '}' ? tokens.splice(0, 2) : [];
    const key = name === undefined ? String(i) : String(JSON.parse(name));
    const lines = indented(tokens, childPointer(at, key), name === undefined ? '' : `${name}: `, depth + 1);
    const comma = tokens[0] === ',' ? tokens.shift() : '';
    members.push(
      ...lines.slice(0, -1),
      ...lines.slice(-1).map((last) => ({ ...last, text: last.text + comma })),
    );
  }
  tokens.shift();
  if (members.length === 0) return [{ indent: '', text: lead + begin + end, at }];
  const inner = members.map((line) => ({ ...line, indent: `  ${line.indent}` }));
  return [{ indent: '', text: lead + begin, at }, ...inner, { indent: '', text: end, at }];
}

/** Whether a line belongs to the value at a JSON pointer below the root. */
export function isWithin({ at = '' }: BodyLine, pointer = ''): boolean {
  return pointer.startsWith('/') && (at === pointer || at.startsWith(`${pointer}/`));
}
