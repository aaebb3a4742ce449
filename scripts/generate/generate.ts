import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.ts';
import { writeLine } from '../cli/terminal/output.ts';

for (const { path, url, text } of generatedFiles()) {
  writeFileSync(url, text);
  writeLine(path);
}
