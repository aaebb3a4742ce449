import { writeFileSync } from 'node:fs';
import { writeLine } from '../cli/terminal/terminal.ts';
import { generatedFiles } from './generated-files.ts';

for (const { path, url, text } of generatedFiles()) {
  writeFileSync(url, text);
  writeLine(path);
}
