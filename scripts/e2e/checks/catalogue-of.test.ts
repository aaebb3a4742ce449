import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sharedFolder } from '../support/journalled-run.ts';

const folder = sharedFolder();

const LOADER = `
  import { catalogueOf } from '${new URL('../../cli/modules/catalogue.ts', import.meta.url).href}';
  import { CHECKS } from '${new URL('../../../suites/catalogue.ts', import.meta.url).href}';
  const said = async (file) => {
    try {
      const checks = (await catalogueOf({ checks: file })).checks.slice(CHECKS.length);
      const stimuli = new Set(checks.map(({ given }) => given)).size;
      const shared = checks.filter(({ given }) => CHECKS.some((each) => each.given === given)).length;
      return { checks: checks.map(({ id, clauses, level }) => ({ id, clauses, level })), stimuli, shared };
    } catch (error) {
      return { error: error.name, message: error.message };
    }
  };
  const results = [];
  for (const file of process.argv.slice(1)) results.push(await said(file));
  console.log(JSON.stringify(results));
`;

/** Loads modules with these texts, in one process: in the runner of the tests, imports are not those of Node. */
async function loaded(texts: readonly string[]): Promise<readonly unknown[]> {
  const paths = texts.map((text, i) => {
    const file = join(folder, `${i}.ts`);
    writeFileSync(file, `import { check, getStimulus, HOLDS } from 'chat-conformance/checks';\n${text}`);
    return file;
  });
  const args = ['--input-type=module', '--eval', LOADER, ...paths, join(folder, 'none.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  const results: unknown[] = JSON.parse(stdout);
  return results;
}

const given = `getStimulus('x-models', '/models', ['primary'])`;
const one = `{ id: 'x-one', title: 'is one', given: ${given}, holds: () => HOLDS }`;
const only = (members: string): string => `export default [{ ...${one}, ${members} }]`;

const plain = { checks: [{ id: 'x-one', clauses: [], level: 'stated' }], stimuli: 1, shared: 0 };

const ofMsg5 = (level: string): object => ({ checks: [{ id: 'x-one', clauses: ['MSG-5'], level }] });

const RIGHT: readonly (readonly [string, object])[] = [
  [`export default [check(${one})]`, plain],
  [`export const checks = [check(${one})]`, plain],
  [`export default [${one}]`, plain],
  [only(`clauses: ['MSG-5']`), ofMsg5('open')],
  [only(`clauses: ['MSG-5'], level: 'convention'`), ofMsg5('convention')],
  // A stimulus that is shared, with a check of its own or of a release.
  [
    `import { CHECKS } from 'chat-conformance';
    const given = ${given};
    const shared = CHECKS.find(({ id }) => id === 'chat-served').given;
    const more = [{ ...${one}, id: 'x-two', given }, { ...${one}, id: 'x-three', given: shared }];
    export default [{ ...${one}, given }, ...more];`,
    { stimuli: 2, shared: 1 },
  ],
];

const WRONG: readonly (readonly [string, RegExp])[] = [
  [`export default {}`, /\d\.ts#: must be a list of checks$/],
  [`export default []`, /must hold at least one check$/],
  [`export const other = 1`, /has neither a default export nor "checks"/],
  [`export default [`, /cannot be loaded: /],
  [`throw new Error('broken\\nfor a reason')`, /cannot be loaded: broken$/],
  [`import 'not-installed'`, /cannot be loaded: Cannot find package 'not-installed'/],
  [only(`id: 'one'`), /#\/0\/id: must begin with x-/],
  [only(`id: 'chat-served'`), /#\/0\/id: must begin with x-/],
  [only(`id: 'x-One'`), /#\/0\/id: must begin with x-/],
  [only(`clauses: ['REQ-99']`), /#\/0\/clauses\/0: must be the ID of a clause/],
  [only(`holds: undefined`), /#\/0\/holds: must be a function$/],
  [only(`given: { ...${given}, stage: 'last' }`), /#\/0\/given\/stage: /],
  [`export default [${one}, ${one}]`, /#\/1\/id: x-one is declared twice$/],
  [
    `export default [${one}, { ...${one}, id: 'x-two' }]`,
    /#\/1\/given\/name: another stimulus is called x-models$/,
  ],
  [only(`given: { ...${given}, name: 'models' }`), /#\/0\/given\/name: models must begin with x-$/],
  [
    only(`given: { ...${given}, name: 'model-listings' }`),
    /#\/0\/given\/name: another stimulus is called model-listings$/,
  ],
];

test('returns the checks of a list with their levels, and throws one line with the place given what is none', async () => {
  const found = await loaded([...RIGHT, ...WRONG].map(([text]) => text));
  expect(found.slice(0, RIGHT.length)).toMatchObject(RIGHT.map(([, checks]) => checks));
  const messages = [...WRONG.map(([, message]) => message), /^cannot read none\.ts \(ENOENT\)$/];
  expect(found.slice(RIGHT.length)).toEqual(
    messages.map((message) => ({ error: 'FileError', message: expect.stringMatching(message) })),
  );
  expect(JSON.stringify(found)).not.toContain('\\n');
});
