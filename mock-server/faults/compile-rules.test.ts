import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInWorld } from '../world/built-in-world.ts';
import { FAULTS } from './catalogue/fault-catalogue.ts';
import type { FaultDescription } from './catalogue/fault-parameter.ts';
import { PHASES } from './catalogue/phases.ts';
import { compileFaults, compilePlan, compileRule } from './compile-rules.ts';

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
  [{ fault: 'unknown_model' }, { endpoint: 'chat' }],
  [{ fault: 'stream_cut' }, { endpoint: 'chat', stream: true }],
  [
    { fault: 'rate_limit', match: { model: 'm' } },
    { endpoint: 'chat', model: 'm' },
  ],
  [
    { fault: 'rate_limit', match: { key: 'k', nth: 2 } },
    { key: 'k', nth: 2 },
  ],
])('reads %j as a rule for %j', (json, match) => {
  expect(compileRule(json).match).toEqual(match);
});

test.each([
  [{ fault: 'service_unavailable' }, 'before-authentication'],
  [{ fault: 'service_unavailable', match: { key: 'primary' } }, 'after-validation'],
  [{ fault: 'gateway_failure', match: { endpoint: 'models' } }, 'before-headers'],
  [{ fault: 'connection_reset', match: { endpoint: 'vision' } }, 'before-headers'],
])('lets %j trigger at %s', (json, phase) => {
  expect(compileRule(json).phase).toBe(phase);
});

test.each([
  [{}, 'expected a list of rules'],
  [[3], '/0: expected a rule, as an object'],
  [[{}], '/0/fault: expected a fault: unknown_model, token_limit,'],
  [[{ fault: 'timeout' }, { fault: 'time_out' }], '/1/fault: no such fault; the faults are unknown_model,'],
  [[{ fault: '__proto__' }], '/0/fault: no such fault'],
  [[{ fault: 'constructor' }], '/0/fault: no such fault'],
  [[{ fault: 'timeout', bytes: 1 }], '/0/bytes: unknown field; timeout accepts fault, phase, match'],
  [[{ fault: 'body_cut', 'a/b~': 1 }], '/0/a~1b~0: unknown field; body_cut accepts'],
  [
    [{ fault: 'timeout', phase: 'later' }],
    '/0/phase: no such phase; possible for timeout are handshake, before-auth',
  ],
  [
    [{ fault: 'body_cut', phase: 'after-debit' }],
    '/0/phase: impossible for body_cut here; possible are inside-body',
  ],
  [
    [{ fault: 'gateway_failure', phase: 'during-generation', match: { endpoint: 'models' } }],
    '/0/phase: impossible for gateway_failure here; possible are before-authentication, after-validation, before-headers',
  ],
  [
    [{ fault: 'rate_limit', phase: 'before-authentication', match: { key: 'primary' } }],
    '/0/phase: impossible for rate_limit here; possible are after-validation',
  ],
  [[{ fault: 'timeout', match: { path: '/' } }], '/0/match/path: unknown field; a match accepts endpoint'],
  [
    [{ fault: 'timeout', match: { endpoint: 'chats' } }],
    '/0/match/endpoint: expected one of models, chat, vision',
  ],
  [[{ fault: 'timeout', match: { stream: 'true' } }], '/0/match/stream: expected true or false'],
  [[{ fault: 'timeout', match: { nth: 0 } }], '/0/match/nth: expected a whole number from 1 to'],
  [[{ fault: 'timeout', match: [] }], '/0/match: expected what the rule matches, as an object'],
  [[{ fault: 'timeout', match: { nth: 2 }, after: 1 }], '/0/after: cannot be combined with nth'],
  [[{ fault: 'token_limit', match: { endpoint: 'models' } }], '/0/match/endpoint: only chat is possible'],
  [
    [{ fault: 'stream_cut', match: { stream: false } }],
    '/0/match/stream: stream_cut applies to streams only',
  ],
  [[{ fault: 'gateway_failure', status: 600 }], '/0/status: expected a whole number from 200 to 599'],
  [[{ fault: 'gateway_failure', status: '502' }], '/0/status: expected a whole number from 200 to 599'],
  [[{ fault: 'gateway_failure', body: 'json' }], '/0/body: expected one of html, text, empty'],
  [[{ fault: 'timeout', ms: 0 }], '/0/ms: expected milliseconds from 1 to'],
  [[{ fault: 'latency', ms: 'normal:1' }], '/0/ms: expected milliseconds from 1 to'],
  [[{ fault: 'rate_limit', retry_after: 'a\r\nb: c' }], '/0/retry_after: expected printable ASCII'],
  [[{ fault: 'rate_limit', match: { nth: 1, every: 2 } }], '/0/match/every: cannot be combined with nth'],
  [[{ fault: 'slow_accept', match: { nth: 2 } }], '/0/match: slow_accept is for the first request'],
  [[{ fault: 'slow_accept', match: { key: 'k' } }], '/0/match: slow_accept triggers where only the endpoint'],
  [
    [{ fault: 'rate_limit', phase: 'before-authentication', match: { nth: 1, per: 'key' } }],
    '/0/phase: impossible for rate_limit here',
  ],
  [[{ fault: 'timeout', ms: 5, then: 'fails' }], '/0/then: not beside ms'],
  [
    [{ fault: 'timeout', phase: 'after-debit', then: 'fails' }],
    '/0/then: nothing is uncertain at after-debit; possible at after-reservation, during-generation',
  ],
  [[{ fault: 'pieces', bytes: 0 }], '/0/bytes: expected a whole number from 1 to'],
  [[{ fault: 'body_cut', bytes: 1.5 }], '/0/bytes: expected a whole number from 0 to'],
  [[{ fault: 'body_cut', bytes: null }], '/0/bytes: expected a whole number from 0 to'],
  [[{ fault: 'wrong_content_length', difference: 0 }], '/0/difference: expected a number other than 0'],
  [[{ fault: 'timeout', times: 0 }], '/0/times: expected a whole number from 1 to'],
  [[{ fault: 'timeout', probability: 1.1 }], '/0/probability: expected a number from 0 to 1'],
])('refuses %j with the place and what is possible', (json, message) => {
  expect(() => compilePlan(json)).toThrow(message);
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
