import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { ERROR_TABLE } from '../protocol/service-error.ts';
import { builtInWorld } from './built-in-world.ts';
import { checkWorld } from './check-world.ts';
import { worldJsonSchema, type World } from './world-schema.ts';

const MODEL = { contextTokens: 10, price: { input: 0, output: 0 } };
const KEY = 'another-key';

/** Of each list, what tells how it was completed. */
const VIEWS = {
  clock: ({ clock }: World) => clock,
  credits: ({ workspaces }: World) => workspaces.map(({ id, credits }) => [id, credits]),
  models: ({ models }: World) => models.map(({ id, available }) => (available === false ? `${id}?` : id)),
  usable: ({ keys }: World) => keys.map(({ name, models }) => `${name}: ${models?.join(' ') ?? 'all'}`),
  owners: ({ keys }: World) => keys.map(({ workspace }) => workspace).join(' '),
  concurrency: ({ keys, limits }: World) => keys.map((key) => key.concurrency ?? limits.concurrency),
  scopes: ({ keys }: World) => keys.map(({ name, key, scopes }) => (key === KEY ? [name, ...scopes] : [])),
  anyKey: ({ anyKey = null }: World) => anyKey,
};

const CREDITS = builtInWorld.workspaces.map(({ id, credits }) => [id, credits]);

test.each<[unknown, keyof typeof VIEWS, unknown]>([
  [{}, 'concurrency', [12, 8, 32]],
  [{ clock: 'real' }, 'clock', 'real'],
  [{ clock: 'frozen' }, 'clock', '2026-01-01T00:00:00Z'],
  [{ clock: '2027-02-03T04:05:06Z' }, 'clock', '2027-02-03T04:05:06Z'],
  [{ clock: undefined, limits: undefined }, 'clock', '2026-01-01T00:00:00Z'],
  [{ workspaces: { main: { credits: 100 } } }, 'credits', [['main', 100], CREDITS[1]]],
  [{ workspaces: [{ id: 'team', credits: 5 }] }, 'credits', [['team', 5]]],
  [{ workspaces: [{ id: 'team', credits: 5 }] }, 'owners', 'team team team'],
  [{ limits: { concurrency: 3 } }, 'concurrency', [3, 3, 3]],
  [{ limits: { concurrency: 3 }, keys: { second: { concurrency: 5 } } }, 'concurrency', [3, 5, 3]],
  [{ limits: { concurrency: undefined } }, 'concurrency', [12, 8, 32]],
  [
    { models: { 'vista-1': null, 'compact-1': { available: false } } },
    'models',
    ['compact-1?', 'standard-1', 'steady-1', 'dormant-1?', 'reserve-1'],
  ],
  [
    { models: { mine: MODEL, 'standard-1': null, 'vista-1': null } },
    'usable',
    ['primary: compact-1 steady-1 dormant-1 mine', 'second: compact-1 reserve-1 mine', 'unscoped: all'],
  ],
  [{ models: [{ id: 'mine', ...MODEL }] }, 'usable', ['primary: all', 'second: all', 'unscoped: all']],
  [{ keys: { second: null } }, 'concurrency', [12, 32]],
  [{ keys: [{ name: 'mine', key: KEY }] }, 'scopes', [['mine', 'inference']]],
  [{ keys: { mine: { key: KEY } } }, 'scopes', [[], [], [], ['mine', 'inference']]],
  [{ anyKey: 'second' }, 'anyKey', 'second'],
])('completes %j: its %s', (part, view, expected) => {
  expect(VIEWS[view](checkWorld(part).world)).toEqual(expected);
});

test('completes a part from another base, and a whole world as itself', () => {
  const base = checkWorld({ limits: { concurrency: 3 }, choices: { errors: { shape: 'root' } } }).world;
  const { world } = checkWorld({ choices: { errors: { requestIdField: 'trace' } } }, base);
  expect(world.choices.errors).toEqual({ shape: 'root', requestIdField: 'trace', overrides: {} });
  expect(world.keys).toEqual(base.keys);
  expect(checkWorld(world)).toMatchObject({ world, worldRules: { faults: [], answers: [] } });
});

test('takes every part that the docs show', () => {
  const docs = readFileSync(new URL('../../docs/mock.md', import.meta.url), 'utf8');
  const [, section = ''] = /## A world of your own\n([^]*?)\n## /.exec(docs) ?? [];
  const [, requests = ''] = /## Sandboxes and the control API\n([^]*?)\n## /.exec(docs) ?? [];
  const parts = [...section.matchAll(/^\{ .* \}$/gm), ...requests.matchAll(/(?<=\/world -d ')[^']*/g)];
  expect(parts.length).toBe(8);
  for (const [part] of parts) expect(checkWorld(JSON.parse(part)).world).not.toEqual(builtInWorld);
});

const [primary] = builtInWorld.keys;

test.each([
  [{ clock: 'rael' }, '/clock: expected real, frozen, or an instant'],
  [
    { limit: {}, keyz: [] },
    '/limit: unknown field (did you mean limits?); allowed: $schema, clock, models, workspaces, keys, anyKey, limits, choices, faults, answers, unanswered',
  ],
  [
    { choices: { stream: { framings: 1 } } },
    '/choices/stream/framings: unknown field (did you mean framing?)',
  ],
  [{ limits: { concurency: 1 } }, '/limits/concurency: unknown field (did you mean concurrency?); allowed: '],
  [{ models: 7 }, '/models: expected a list, or an object by names'],
  [{ models: [{ ...MODEL, id: 1 }] }, '/models/0/id: '],
  [{ models: { 'compact-1': { context: 1 } } }, '/models/compact-1/context: unknown field'],
  [
    { models: { compact1: { available: false } } },
    '/models/compact1: no model of this world (did you mean compact-1?); it has compact-1, ',
  ],
  [{ models: { none: null } }, '/models/none: no model of this world'],
  [
    { keys: { nobody: { scopes: [] } } },
    '/keys/nobody: no key of this world; it has primary, second, unscoped, and a new one needs key',
  ],
  [
    { workspaces: { mian: { credits: 5 } } },
    '/workspaces/mian: no workspace of this world (did you mean main?); it has main, second, and a new one needs a key',
  ],
  [{ keys: { second: { workspace: 'none' } } }, '/keys/second/workspace: is not a workspace of this world'],
  [{ keys: [primary, { ...primary, workspace: 'none' }] }, '/keys/primary: is a duplicate'],
  [
    { keys: { second: { models: ['compact-1', 'none'] } } },
    '/keys/second/models: names a model that this world does not have',
  ],
  [{ anyKey: 'none' }, '/anyKey: is not the name of a key of this world'],
  [{ answers: [{ text: 'Hello', match: { key: 'none' } }] }, '/answers/0/match/key: no key of this world'],
  [{ models: [{ ...MODEL, id: 'm', price: { input: 0.5, output: 1 } }] }, '/models/0/price/input: '],
  [{ keys: { second: { key: 'two words' } } }, '/keys/second/key: Expected a bearer token'],
  [{ choices: { errors: { overrides: { no_such_kind: {} } } } }, '/choices/errors/overrides'],
  [{ choices: { stream: { comment: 'a\nb' } } }, '/choices/stream/comment: Expected one line'],
  [{ choices: { request: { temperatureMinimum: 3 } } }, '/choices/request/temperatureMinimum: is above'],
  [{ limits: { bodyBytes: 0 } }, '/limits/bodyBytes: '],
  ['text', 'expected an object'],
])('refuses %j with its place', (part, message) => {
  const refused = (): unknown => checkWorld(part);
  expect(refused).toThrow(message);
});

test('is published as a JSON Schema that knows every section and every error', () => {
  const schema = JSON.stringify(worldJsonSchema());
  for (const name of [...Object.keys(builtInWorld), ...Object.keys(ERROR_TABLE)])
    expect(schema).toContain(`"${name}"`);
  expect(worldJsonSchema()).toMatchObject({ type: 'object', additionalProperties: false });
  expect(worldJsonSchema()).not.toHaveProperty('required');
});

test('is published with its rules', () => {
  const schema = new Ajv2020({ strict: false, validateFormats: false }).compile(worldJsonSchema());
  const faults = ['stall', { fault: 'stall', bytes: 5, match: { nth: 1 } }];
  expect([schema({ faults, answers: ['Hi.', { text: 'Hi.' }] }), schema.errors]).toEqual([true, null]);
  const wrong = [{ fault: 'stall', events: 1 }, { fault: 'stall', match: { nht: 1 } }, { bytes: 5 }];
  const parts = [...wrong.map((fault) => ({ faults: [fault] })), { answers: [{ txt: 'Hi.' }] }];
  expect(parts.filter((part) => schema(part))).toEqual([]);
});
