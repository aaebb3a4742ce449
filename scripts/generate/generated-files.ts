import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { worldJsonSchema } from '../../mock-server/world/world-schema.ts';
import { baselineSchema } from '../../suites/engine/files/read-baseline.ts';
import { profileJsonSchema } from '../../suites/engine/files/read-profile.ts';
import { reportSchema } from '../../suites/engine/model/summary.ts';
import { markdownTable } from '../../suites/engine/reports/markdown-report.ts';
import { configurationJsonSchema } from '../cli/config/configuration.ts';
import { writeLine } from '../cli/terminal/terminal.ts';
import { TABLES } from './generated-tables.ts';

const ROOT = new URL('../../', import.meta.url);

const DOCUMENTS = globSync('{README.md,docs/*.md,suites/README.md}', { cwd: fileURLToPath(ROOT) });

const PART = /(<!-- generated:(?<name>[\w-]+) -->\n)[^]*?(<!-- \/generated -->)/g;

/** The document with every generated part regenerated. */
function refreshed(text: string): string {
  return text.replaceAll(PART, (_whole, begin: string, name: string, end: string) => {
    const table = TABLES[name];
    if (table === undefined) throw new Error(`nothing generates "${name}"`);
    const [head, ...rows] = table;
    return `${begin}\n${markdownTable(head, rows)}\n\n${end}`;
  });
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function schemaOf(file: string, schema: z.ZodType): string {
  return json({ ...z.toJSONSchema(schema, { io: 'input' }), title: `chat-conformance ${file}` });
}

/** Everything that is generated, whole or in part, as it should be now. */
export function generatedFiles() {
  const documents = DOCUMENTS.toSorted().flatMap((path) => {
    const text = readFileSync(new URL(path, ROOT), 'utf8');
    return text.includes('<!-- generated:') ? [[path, refreshed(text)] as const] : [];
  });
  const files = [
    ['suites/engine/files/profile.schema.json', json(profileJsonSchema())],
    ['suites/engine/reports/report.schema.json', schemaOf('report', reportSchema)],
    ['suites/engine/files/baseline.schema.json', schemaOf('baseline', baselineSchema)],
    ['scripts/cli/config/configuration.schema.json', json(configurationJsonSchema())],
    ['mock-server/world/world.schema.json', json(worldJsonSchema())],
    ...documents,
  ] as const;
  return files.map(([path, text]) => ({ path, url: new URL(path, ROOT), text }));
}

if (import.meta.main)
  for (const { path, url, text } of generatedFiles()) {
    writeFileSync(url, text);
    writeLine(path);
  }
