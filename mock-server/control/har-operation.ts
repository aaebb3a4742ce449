import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { z } from 'zod';
import { harOf, type HarExchange } from '../har/har.ts';
import { showExchange, type ShownExchange } from '../journal/shown-exchange.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { sandboxPrefix } from '../sandboxes/sandboxes.ts';
import { closedObject, emptyObject } from '../world/closed-object.ts';
import { operation } from './operation.ts';

function exchangesOf({ journal, service, id }: Sandbox, origin: string): readonly HarExchange[] {
  const base = id === null ? origin : `${origin}${sandboxPrefix(id)}`;
  // Handshakes and bytes that are no request have no place in a HAR.
  const requests = (journal?.writers() ?? []).filter(({ entry }) => entry.path.startsWith('/'));
  return requests.map((writer) => toHar(showExchange(writer, service.world.keys), base));
}

function toHar({ entry, phases, request, response, departures }: ShownExchange, base: string): HarExchange {
  const { method, path, realAt, ended, faults, ledger, key, at, bytesWritten } = entry;
  const triggered = faults.map(({ fault, phase }) => `${fault} at ${phase}`);
  return {
    startedAt: realAt,
    method,
    url: `${base}${request?.url ?? path}`,
    headers: request?.headers ?? [],
    body: request?.body ?? null,
    answer: response && { ...response, body: response.body ?? { text: '' } },
    ms: entry.ms ?? 0,
    comment: [ended ?? 'running', ...triggered].join('; '),
    known: { key, at, ended, phases, faults, ledger, bytesWritten, departures },
  };
}

/** The version of this package, whether this file is source or compiled. */
function release(): string {
  const file = findPackageJSON('..', import.meta.url);
  const { version = '' }: { version?: string } =
    file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'));
  return version;
}

const har = operation({
  name: 'exportHar',
  method: 'GET',
  path: '/har',
  about: 'world',
  summary: 'Returns the journal as HAR 1.2, for the developer tools of a browser; keys are masked',
  query: emptyObject,
  body: emptyObject,
  status: 200,
  answer: closedObject({ log: z.record(z.string(), z.unknown()) }),
  run: ({ sandbox, origin }) => harOf(exchangesOf(sandbox, origin), release()),
});

export const HAR_OPERATIONS = [har];
