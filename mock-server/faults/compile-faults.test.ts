import { expect, test } from 'vitest';
import { each } from '../input/input-error.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import { compileFault, compileFaults, type FaultWords } from './compile-faults.ts';

/* oxlint-disable unicorn/no-thenable -- a word of the syntax of a rule, never a function */

test('fills in the parameters and the phase, and nothing that is absent', () => {
  expect(compileFault({ fault: 'gateway_failure' }).words).toEqual({
    fault: 'gateway_failure',
    status: 502,
    body: 'html',
    phase: 'during-generation',
    match: {},
  });
});

test('takes all that can be said', () => {
  const match = { endpoint: 'chat', model: 'm', stream: false, key: 'primary', contains: 'a', every: 2 };
  const json = { fault: 'timeout', phase: 'after-reservation', match, times: 2, after: 3, ttl: 4 };
  const rule = { ...json, probability: 0.5, then: 'fails' };
  expect(compileFault(rule)).toMatchObject({ words: rule, phase: 'after-reservation', outcome: 'fails' });
});

test.each([
  ['timeout contains=a', { endpoint: 'chat', contains: 'a' }],
  ['unknown_model', { endpoint: 'chat' }],
  ['stream_cut', { endpoint: 'chat', stream: true }],
  ['rate_limit model=m', { endpoint: 'chat', model: 'm' }],
  ['rate_limit key=k nth=2', { key: 'k', nth: 2 }],
])('reads %j as a rule for %j', (line, match) => {
  expect(compileFault(line).words.match).toEqual(match);
});

test.each([
  ['service_unavailable', 'before-authentication'],
  ['service_unavailable key=primary', 'after-validation'],
  ['service_unavailable contains=a', 'after-validation'],
  ['service_unavailable per=idempotency_key', 'before-authentication'],
  ['service_unavailable request_header=x-a', 'before-authentication'],
  ['gateway_failure endpoint=models', 'before-headers'],
  ['connection_reset endpoint=vision', 'before-headers'],
])('lets %j trigger at %s', (line, phase) => {
  expect(compileFault(line).phase).toBe(phase);
});

test.each([
  [[3], '/0: expected a rule, as an object or a line'],
  [[{}], '/0/fault: no such fault; the faults are unknown_model, token_limit,'],
  [
    [{ fault: 'timeout' }, { fault: 'time_out' }],
    '/1/fault: no such fault (did you mean timeout?); the faults are unknown_model,',
  ],
  [[{ fault: 'body_cut', 'a/b~': 1 }], '/0/a~1b~0: unknown field; allowed: fault, phase'],
  [[{ fault: 'timeout', match: { path: '/' } }], '/0/match/path: unknown field; allowed: endpoint'],
  [[{ fault: 'timeout', match: { stream: 'true' } }], '/0/match/stream: expected true or false'],
  [[{ fault: 'timeout', match: [] }], '/0/match: expected an object'],
  [[{ fault: 'gateway_failure', status: '502' }], '/0/status: expected a whole number from 200 to 599'],
  [[{ fault: 'timeout', model: 'm' }], '/0/model: unknown field, which belongs in match; allowed: fault'],
  [[{ fault: 'timeout', match: { modle: 'm' } }], '/0/match/modle: unknown field (did you mean model?)'],
  [[{ fault: 'rate_limit', retry_after: 'a\r\nb: c' }], '/0/retry_after: expected printable ASCII'],
  ['__proto__', '/0/fault: no such fault'],
  [
    'timeout bytes=1',
    '/0/bytes: unknown field; allowed: phase, times, after, ttl, probability, ms, then, endpoint, model, key, stream, contains, matches, in, request_header, idempotency_key, nth, every, per',
  ],
  ['timeout modle=m', '/0/modle: unknown field (did you mean model?); allowed: phase, times'],
  ['timeout phase=later', '/0/phase: expected one of before-auth'],
  ['body_cut phase=after-debit', '/0/phase: expected one of inside-body'],
  [
    'gateway_failure phase=during-generation endpoint=models',
    '/0/phase: not allowed for gateway_failure here; allowed: before-authentication, after-validation, before-headers',
  ],
  [
    'rate_limit phase=before-authentication key=primary',
    '/0/phase: not allowed for rate_limit here; allowed:',
  ],
  ['rate_limit phase=before-authentication nth=1 per=key', '/0/phase: not allowed for rate_limit here'],
  ['timeout endpoint=chats', '/0/match/endpoint: expected one of models, chat, vision (did you mean chat?)'],
  ['timeout nth=2 after=1', '/0/after: cannot be combined with nth'],
  ['token_limit endpoint=models', '/0/match/endpoint: token_limit is only for endpoint=chat'],
  ['stream_cut stream=false', '/0/match/stream: stream_cut is only for endpoint=chat stream=true'],
  ['gateway_failure status=600', '/0/status: expected a whole number from 200 to 599'],
  ['gateway_failure body=htm', '/0/body: expected one of html, text, empty (did you mean html?)'],
  ['timeout contains=a endpoint=models', '/0/match/contains: only for chats'],
  ['timeout request_header="authorization: x"', '/0/match/request_header: expected NAME or'],
  ['timeout phase=before-header', '/0/phase: expected one of before-authentication, after-validation'],
  ['timeout ms=0', '/0/ms: expected milliseconds from 1 to'],
  ['latency ms=normal:1', '/0/ms: expected milliseconds from 1 to'],
  ['rate_limit nth=1 every=2', '/0/match/every: cannot be combined with nth'],
  ['timeout ms=5 then=fails', '/0/then: cannot be combined with ms'],
  ['timeout phase=after-debit then=fails', '/0/then: not allowed at after-debit; allowed only at after-res'],
  ['timeout probability=1.1', '/0/probability: expected a number from 0 to 1'],
])('refuses %j with the place and what is possible', (rules, message) => {
  expect(() => each(typeof rules === 'string' ? [rules] : rules, compileFault)).toThrow(message);
});

test('takes rules for the keys and models of the world, and for no others', () => {
  expect(compileFaults(['timeout key=second model=compact-1'], builtInWorld)).toHaveLength(1);
  const compile = (line: string) => (): unknown => compileFaults(['timeout', line], builtInWorld);
  expect(compile('timeout key=nobody')).toThrow('/1/match/key: no key of this world; it has primary, second');
  expect(compile('timeout model=other')).toThrow('/1/match/model: no model of this world; it has compact-1,');
});

test('has the type of its fault', () => {
  const words: readonly FaultWords[] = [
    'stall bytes=4',
    { fault: 'stall', bytes: 4, match: { contains: 'a', per: 'idempotency_key' }, times: 1 },
    // @ts-expect-error -- a parameter of another fault
    { fault: 'unknown_model', bytes: 4 },
    // @ts-expect-error -- a phase of another fault
    { fault: 'rate_limit', phase: 'inside-body' },
  ];
  expect(compileFault(words[0]).words).toEqual(compileFault({ fault: 'stall', bytes: 4 }).words);
  expect(() => compileFaults(words, builtInWorld)).toThrow('/2/bytes: unknown field; allowed: fault');
});
