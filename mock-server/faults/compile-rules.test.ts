import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInWorld } from '../world/built-in-world.ts';
import { FAULTS } from './catalogue/fault-catalogue.ts';
import type { FaultDescription } from './catalogue/fault-parameter.ts';
import { PHASES } from './catalogue/phases.ts';
import { compileFaults, compilePlan, compileRule, parseFault } from './compile-rules.ts';

/* oxlint-disable unicorn/no-thenable -- a word of the syntax of a rule, never a function */

const ALWAYS = { times: Infinity, after: 0, ttl: Infinity, probability: 1 };

test('fills in what is left out', () => {
  expect(compilePlan([{ fault: 'gateway_failure' }, { fault: 'stall' }])).toEqual([
    {
      fault: { fault: 'gateway_failure', status: 502, body: 'html', retry_after: null, outcome: 'review' },
      phase: 'during-generation',
      match: {},
      ...ALWAYS,
    },
    { fault: { fault: 'stall', bytes: 0, ms: null }, phase: 'inside-body', match: {}, ...ALWAYS },
  ]);
});

test('takes all that can be said', () => {
  const match = { endpoint: 'chat', model: 'm', stream: false, key: 'primary' };
  const json = { fault: 'timeout', phase: 'after-reservation', match, times: 2, after: 3, ttl: 4 };
  expect(compileRule({ ...json, probability: 0.5, then: 'fails' })).toEqual({
    fault: { fault: 'timeout', ms: null, outcome: 'fails' },
    phase: 'after-reservation',
    match,
    times: 2,
    after: 3,
    ttl: 4,
    probability: 0.5,
  });
});

test.each([
  ['unknown_model', { endpoint: 'chat' }],
  ['stream_cut', { endpoint: 'chat', stream: true }],
  ['rate_limit model=m', { endpoint: 'chat', model: 'm' }],
  ['rate_limit key=k nth=2', { key: 'k', nth: 2 }],
])('reads %j as a rule for %j', (line, match) => {
  expect(compileRule(parseFault(line)).match).toEqual(match);
});

test.each([
  ['service_unavailable', 'before-authentication'],
  ['service_unavailable key=primary', 'after-validation'],
  ['gateway_failure endpoint=models', 'before-headers'],
  ['connection_reset endpoint=vision', 'before-headers'],
])('lets %j trigger at %s', (line, phase) => {
  expect(compileRule(parseFault(line)).phase).toBe(phase);
});

test.each([
  [{}, 'expected a list of rules'],
  [[3], '/0: expected a rule, as an object'],
  [[{}], '/0/fault: expected a fault: unknown_model, token_limit,'],
  [[{ fault: 'timeout' }, { fault: 'time_out' }], '/1/fault: no such fault; the faults are unknown_model,'],
  [[{ fault: 'body_cut', 'a/b~': 1 }], '/0/a~1b~0: unknown field; body_cut accepts'],
  [[{ fault: 'timeout', match: { path: '/' } }], '/0/match/path: unknown field; a match accepts endpoint'],
  [[{ fault: 'timeout', match: { stream: 'true' } }], '/0/match/stream: expected true or false'],
  [[{ fault: 'timeout', match: [] }], '/0/match: expected what the rule matches, as an object'],
  [[{ fault: 'gateway_failure', status: '502' }], '/0/status: expected a whole number from 200 to 599'],
  [[{ fault: 'rate_limit', retry_after: 'a\r\nb: c' }], '/0/retry_after: expected printable ASCII'],
  [[{ fault: 'body_cut', bytes: null }], '/0/bytes: expected a whole number from 0 to'],
])('refuses %j with the place and what is possible', (json, message) => {
  expect(() => compilePlan(json)).toThrow(message);
});

test.each([
  ['__proto__', 'fault: no such fault'],
  ['constructor', 'fault: no such fault'],
  ['timeout bytes=1', 'bytes: unknown field; timeout accepts fault, phase, match'],
  ['timeout phase=later', 'phase: no such phase; possible for timeout are handshake, before-auth'],
  ['body_cut phase=after-debit', 'phase: impossible for body_cut here; possible are inside-body'],
  [
    'gateway_failure phase=during-generation endpoint=models',
    'phase: impossible for gateway_failure here; possible are before-authentication, after-validation, before-headers',
  ],
  [
    'rate_limit phase=before-authentication key=primary',
    'phase: impossible for rate_limit here; possible are',
  ],
  ['rate_limit phase=before-authentication nth=1 per=key', 'phase: impossible for rate_limit here'],
  ['timeout endpoint=chats', 'match/endpoint: expected one of models, chat, vision'],
  ['timeout nth=0', 'match/nth: expected a whole number from 1 to'],
  ['timeout nth=2 after=1', 'after: cannot be combined with nth'],
  ['token_limit endpoint=models', 'match/endpoint: only chat is possible'],
  ['stream_cut stream=false', 'match/stream: stream_cut applies to streams only'],
  ['gateway_failure status=600', 'status: expected a whole number from 200 to 599'],
  ['gateway_failure body=json', 'body: expected one of html, text, empty'],
  ['timeout ms=0', 'ms: expected milliseconds from 1 to'],
  ['latency ms=normal:1', 'ms: expected milliseconds from 1 to'],
  ['rate_limit nth=1 every=2', 'match/every: cannot be combined with nth'],
  ['slow_accept nth=2', 'match: slow_accept is for the first request'],
  ['slow_accept key=k', 'match: slow_accept triggers where only the endpoint'],
  ['timeout ms=5 then=fails', 'then: not beside ms'],
  [
    'timeout phase=after-debit then=fails',
    'then: nothing is uncertain at after-debit; possible at after-res',
  ],
  ['pieces bytes=0', 'bytes: expected a whole number from 1 to'],
  ['body_cut bytes=1.5', 'bytes: expected a whole number from 0 to'],
  ['wrong_content_length difference=0', 'difference: expected a number other than 0'],
  ['timeout times=0', 'times: expected a whole number from 1 to'],
  ['timeout probability=1.1', 'probability: expected a number from 0 to 1'],
])('refuses %j with the place and what is possible', (line, message) => {
  expect(() => compilePlan([parseFault(line)])).toThrow(`/0/${message}`);
});

test('compiles what the error messages list, and refuses everything else with a place', () => {
  const name = fc.constantFrom(...Object.keys(FAULTS), 'none');
  const value = fc.oneof(
    fc.integer({ min: -1, max: 600 }),
    fc.constantFrom('review', 'html', null, true, {}),
  );
  const rule = fc.record(
    {
      fault: name,
      phase: fc.constantFrom(...PHASES),
      match: fc.record(
        { endpoint: fc.constantFrom('chat', 'models'), stream: fc.boolean() },
        { requiredKeys: [] },
      ),
      times: value,
      then: value,
      bytes: value,
      ms: value,
      status: value,
    },
    { requiredKeys: ['fault'], noNullPrototype: true },
  );
  fc.assert(
    fc.property(rule, (json) => {
      const outcome = attempt(json);
      expect(outcome).toMatch(/^(?:compiled|\/\w+(?:\/\w+)?: .+)$/);
    }),
    { numRuns: 500 },
  );
});

function attempt(json: object): string {
  try {
    compileRule(json);
    return 'compiled';
  } catch (error) {
    return (error as Error).message;
  }
}

test('refuses a rule for a key that the world does not have, with the keys it has', () => {
  expect(() => compileFaults(['timeout', 'timeout key=nobody'], builtInWorld)).toThrow(
    '/1/match/key: no key of this world; it has primary, second, unscoped',
  );
});

test('refuses a rule for a model that the world does not have', () => {
  expect(() => compileFaults(['timeout model=other'], builtInWorld)).toThrow(
    '/0/match/model: no model of this world; it has compact-1,',
  );
});

test('takes a rule for a key and a model of the world, and for a reserved model ID', () => {
  const rules = ['timeout key=second model=compact-1', 'timeout model="fault:timeout"'];
  expect(compileFaults(rules, builtInWorld)).toHaveLength(2);
});

test.each(Object.entries<FaultDescription>(FAULTS))(
  '%s accepts the defaults of its parameters',
  (name, { parameters }) => {
    const given = Object.entries(parameters).flatMap(([one, parameter]) =>
      parameter.default === undefined ? [] : [[one, parameter.default]],
    );
    const [rule] = compilePlan([{ fault: name, ...Object.fromEntries(given) }]);
    expect(rule?.fault).toMatchObject(Object.fromEntries(given.filter(([one]) => one !== 'then')));
    const impossible = Object.values(parameters).filter(
      (parameter) => parameter.kind === 'choice' && !parameter.choices.includes(parameter.default),
    );
    expect(impossible).toEqual([]);
  },
);
