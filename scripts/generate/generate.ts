import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.ts';
import { writeLine } from '../cli/terminal/write-line.ts';

for (const { path, url, text } of generatedFiles()) {
  writeFileSync(url, text);
  writeLine(path);
}
