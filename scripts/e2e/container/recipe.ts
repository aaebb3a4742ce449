import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DockerfileParser, type Instruction, ModifiableInstruction } from 'dockerfile-ast';
import { z } from 'zod';

const FOLDER = new URL('../../container/', import.meta.url);

export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
export const DOCKERFILE = readFileSync(new URL('Dockerfile', FOLDER), 'utf8');
export const COMPOSE = readFileSync(new URL('compose.yaml', FOLDER), 'utf8');

/** What the builder sees of the repository: everything at its top that is let through, and below it what is not ignored. */
export function buildContext(): {
  readonly top: readonly string[];
  readonly below: (name: string) => boolean;
} {
  const lines = readFileSync(new URL('Dockerfile.dockerignore', FOLDER), 'utf8').split('\n');
  const ignored = lines.filter((line) => line.startsWith('**/')).map((line) => line.slice(3));
  return {
    top: lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)),
    below: (name) =>
      !ignored.some((pattern) =>
        pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
      ),
  };
}

export interface Step {
  readonly keyword: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  /** Everything after the keyword. */
  readonly text: string;
}

function step(instruction: Instruction): Step {
  const flags = instruction instanceof ModifiableInstruction ? instruction.getFlags() : [];
  return {
    keyword: instruction.getKeyword(),
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
    words: instruction.getArguments().map((argument) => argument.getValue()),
    text: instruction.getArgumentsContent() ?? '',
  };
}

export const STEPS = DockerfileParser.parse(DOCKERFILE).getInstructions().map(step);

/** The last instruction of this kind, which is the one that counts. */
export function lastStep(keyword: string): Step {
  const found = STEPS.findLast((each) => each.keyword === keyword);
  if (found === undefined) throw new Error(`no ${keyword} in the Dockerfile`);
  return found;
}

/** The words of an instruction in exec form; a shell form is no JSON, and throws. */
export function execForm(keyword: string): readonly string[] {
  const { text } = lastStep(keyword);
  return z.array(z.string()).parse(JSON.parse(text.replace(/^.*?CMD /, '')));
}
