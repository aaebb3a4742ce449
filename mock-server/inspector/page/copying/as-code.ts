import type { ShownExchange } from '../../../journal/shown-exchange.ts';
import type { RuleAnswer } from '../state/wire.ts';
import { bodyText, tellingHeaders } from './as-curl.ts';

/** A test for vitest that arms the faults of a request, sends it again, and expects the same answer. */
export function asTest(exchange: ShownExchange, rules: readonly RuleAnswer[]): string {
  const { entry } = exchange;
  // What the request itself asks for, it asks for again.
  const armed = entry.faults.filter(({ rule }) => rule !== 'header' && rule !== 'model');
  const arm = armed.map(({ rule: id, fault, phase }) => {
    const rule = rules.find((each) => each.id === id)?.rule ?? { fault, phase };
    return `  mock().arm(${text(asLine({ ...rule, times: 1, after: 0 }))});`;
  });
  const lines = [
    "import { useMock } from 'chat-conformance/vitest';",
    "import { expect, test } from 'vitest';",
    '',
    'const mock = useMock();',
    '',
    `test(${text(title(exchange))}, async () => {`,
    ...arm,
    `  const sent = ${sending(exchange)};`,
    ...expectations(exchange),
    '});',
  ];
  return `${lines.join('\n')}\n`;
}

function title({ entry: { method, path, faults, status, ended } }: ShownExchange): string {
  const triggered = faults.map(({ fault, phase }) => `${fault} at ${phase}`).join(', ');
  const outcome = ended === 'answered' ? `answers ${status}` : 'gets no whole answer';
  return `${method} ${path} ${outcome}${triggered === '' ? '' : ` given ${triggered}`}`;
}

function sending(exchange: ShownExchange): string {
  const { entry, request } = exchange;
  const path = (request?.url ?? entry.path).replace(/^\/v1/, '');
  const headers = tellingHeaders(exchange).map(([name, value]) =>
    name.toLowerCase() === 'authorization'
      ? `    authorization: \`Bearer \${mock().keys[${text(entry.key ?? 'primary')}]}\`,`
      : `    ${text(name.toLowerCase())}: ${text(value)},`,
  );
  const body = bodyText(exchange);
  return [
    `fetch(mock().url + ${text(path)}, {`,
    `    method: ${text(entry.method)},`,
    '    headers: {',
    ...headers.map((line) => `  ${line}`),
    '    },',
    ...(body === undefined ? [] : [`    body: ${text(body)},`]),
    '  })',
  ].join('\n');
}

function expectations({ entry }: ShownExchange): readonly string[] {
  if (entry.ended === 'answered') return [`  expect((await sent).status).toBe(${entry.status});`];
  if (entry.ended === 'silent')
    return [
      '  const late = new Promise((resolve) => setTimeout(resolve, 100, "late"));',
      '  expect(await Promise.race([sent, late])).toBe("late");',
    ];
  return ['  await expect(sent.then((answer) => answer.text())).rejects.toThrow();'];
}

function text(value: string): string {
  return `'${JSON.stringify(value)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;
}

/** A file for `mock --scenario` with these rules. */
export function asScenario(rules: readonly RuleAnswer[], seed: number | undefined): string {
  const faults = rules.map(({ rule }) => tidy(rule));
  return `${JSON.stringify({ ...(seed !== undefined && { seed }), faults }, undefined, 2)}\n`;
}

/** A rule without what it would be by default. */
function tidy(rule: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(rule).filter(([name, value]) => !isDefault(name, value)));
}

function isDefault(name: string, value: unknown): boolean {
  if (name === 'after') return value === 0;
  if (name === 'probability') return value === 1;
  return name === 'match' && typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A rule as a line for `--fault`. */
export function asLine(rule: Readonly<Record<string, unknown>>): string {
  const { fault, match, ...rest } = tidy(rule);
  const matched = typeof match === 'object' && match !== null ? Object.entries(match) : [];
  const words = [...Object.entries(rest), ...matched].map(([name, value]) => `${name}=${lineValue(value)}`);
  return [String(fault), ...words].join(' ');
}

function lineValue(value: unknown): string {
  return typeof value === 'string' && !/^[^\s"=]+$/.test(value) ? JSON.stringify(value) : String(value);
}
