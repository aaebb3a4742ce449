import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { type CommandResult, COMMAND, resultOf } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const PAGE = readFileSync(new URL('../../../docs/ci.md', import.meta.url), 'utf8');

/** The code block of this language below this heading. */
function block(heading: string, language: string): string {
  const below = PAGE.slice(PAGE.indexOf(`\n${heading}\n`)).split('\n#')[1] ?? '';
  const blocks = [...below.matchAll(/```(\w*)\n([^]*?)```/g)];
  const [, , text] = blocks.find(([, name]) => name === language) ?? [];
  if (text === undefined) throw new Error(`no ${language} below ${heading}`);
  return text;
}

interface Job {
  readonly folder: string;
  /** Runs a script as the system does, with its variables. */
  readonly run: (script: string, variables?: Readonly<Record<string, string>>) => Promise<CommandResult>;
}

/** A checkout of a project that has the package installed, in front of a mock; `command`: what its command does. */
async function checkout(command = `exec "${process.execPath}" "${COMMAND}"`): Promise<Job> {
  const mock = await openMock({ port: 0 });
  const folder = temporaryFolder();
  const bin = join(folder, 'node_modules', '.bin');
  for (const path of [bin, join(folder, 'conformance')]) mkdirSync(path, { recursive: true });
  const files = {
    // The commands are those of the page; what they select is enough to see them work.
    'chat-conformance.config.json': '{ "only": ["REQ-6", "models"], "tier": "smoke" }',
    'conformance/profile.json': '{ "format": "chat-conformance/profile", "version": 1 }',
    'conformance/known.json': '{ "format": "chat-conformance/baseline", "version": 1, "known": [] }',
    'node_modules/.bin/chat-conformance': `#!/bin/sh\n${command} "$@"\n`,
    // What would be installed is installed.
    'node_modules/.bin/npm': '#!/bin/sh\n[ "$*" = ci ]\n',
    // And nothing may be fetched by its name.
    'node_modules/.bin/npx': '#!/bin/sh\nexit 99\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  for (const name of ['chat-conformance', 'npm', 'npx']) chmodSync(join(bin, name), 0o755);
  const PATH = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const env = { PATH, CHAT_API_KEY: mock.keys['primary'] ?? '' };
  return {
    folder,
    run: (script, variables = {}) => {
      const here = script.replaceAll('https://staging.example/v1', mock.url);
      const args = ['--noprofile', '--norc', '-e', '-c', here];
      const all = { ...env, ...variables };
      return resultOf(spawn('bash', args, { cwd: folder, env: all, stdio: ['ignore', 'pipe', 'pipe'] }));
    },
  };
}

test('runs the gate of any system', async () => {
  const { folder, run } = await checkout();
  expect(await run(block('## Any other system', 'sh'))).toMatchObject({ code: 0 });
  expect(readReport(join(folder, 'out'))).toMatchObject({ outcome: 'conformant', seed: 1 });
  expect(existsSync(join(folder, 'out', 'junit.xml'))).toBe(true);
});

const gitlab = z.object({ conformance: z.object({ script: z.array(z.string()) }) });
const azure = z.object({ steps: z.array(z.object({ script: z.string().optional() })) });

/** Of Groovy: the text of a shell step. */
function jenkinsScript(): string {
  const [, text = ''] = /sh '''\n([^]*?)'''/.exec(block('### Jenkins', 'groovy')) ?? [];
  return text.replaceAll('\\\\', '\\');
}

const JOBS = [
  {
    system: 'GitLab',
    script: () => gitlab.parse(parse(block('### GitLab', 'yaml'))).conformance.script.join('\n'),
    night: { CI_PIPELINE_SOURCE: 'schedule', CI_PIPELINE_IID: '77' },
  },
  { system: 'Jenkins', script: jenkinsScript, night: { SEED: '77' } },
  {
    system: 'Azure Pipelines',
    script: () =>
      azure
        .parse(parse(block('### Azure Pipelines', 'yaml')))
        .steps.flatMap(({ script }) => script ?? [])
        .join('\n'),
    night: { BUILD_REASON: 'Schedule', BUILD_BUILDID: '77' },
  },
];

test.each(JOBS)(
  'runs the job of $system, with a fixed seed by day and another one at night',
  async ({ script, night }) => {
    // Whether the command runs, and has these options, is tested elsewhere: what it is given is enough.
    const { run } = await checkout('echo');
    const files = '--profile conformance/profile.json --baseline conformance/known.json --report out --quiet';
    const given = (seed: number) => expect.stringContaining(` --tier smoke --seed ${seed} ${files}\n`);
    expect(await run(script())).toMatchObject({ code: 0, stdout: given(1) });
    expect(await run(script(), night)).toMatchObject({ code: 0, stdout: given(77) });
  },
);

/** A machine that has to run every test has Python. */
const hasPython = process.env['CI'] !== undefined || spawnSync('python3', ['--version']).status === 0;

test.runIf(hasPython)('judges what the tests of a client in Python cause', async () => {
  const { folder, run } = await checkout();
  const [job, client] = [block('### Python', 'sh'), block('### Python', 'python')];
  const judged = async (text: string): Promise<CommandResult> => {
    writeFileSync(join(folder, 'test_client.py'), text);
    return run(job);
  };
  expect(await judged(client)).toMatchObject({ code: 0, stderr: expect.stringMatching(/OK[^]*conformant/) });
  const careless = client.replace('/completions"', `/completions?key={os.environ['CHAT_API_KEY']}"`);
  expect(await judged(careless)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/OK[^]*✘ key-on-se/),
  });
});

test('runs after a deployment only where it succeeded, and fetches nothing by its name', () => {
  const workflow: unknown = parse(block('## GitHub Actions', 'yaml'));
  expect(workflow).toMatchObject({
    jobs: {
      gate: { if: expect.stringContaining(`github.event.deployment_status.state == 'success'`) },
    },
  });
  expect(PAGE).not.toMatch(/npx (?!with the name|--no -- )/);
});
