import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { z } from 'zod';
import { harOf, type HarExchange } from '../journal/har.ts';
import { showExchange, type ShownExchange } from '../journal/shown-exchange.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { sandboxPrefix } from '../sandboxes/sandboxes.ts';
import { closedObject, emptyObject } from '../world/closed-object.ts';
import { operation } from './operation.ts';

interface Numbered {
  /** The order of arrival over all worlds. */
  readonly id: number;
  readonly exchange: HarExchange;
}

function exchangesOf({ journal, service, id }: Sandbox, origin: string): readonly Numbered[] {
  const base = id === null ? origin : `${origin}${sandboxPrefix(id)}`;
  // Handshakes and bytes that are no request have no place in a HAR.
  const requests = (journal?.writers() ?? []).filter(({ entry }) => entry.path.startsWith('/'));
  return requests.map((writer) => ({
    id: writer.entry.id,
    exchange: toHar(showExchange(writer, service.world.keys), base),
  }));
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
  query: closedObject({
    worlds: z
      .literal('all')
      .exactOptional()
      .describe('Those of every sandbox too, in the order of their arrival'),
  }),
  body: emptyObject,
  status: 200,
  answer: closedObject({ log: z.record(z.string(), z.unknown()) }),
  run({ sandbox, sandboxes, origin, query: { worlds } }) {
    const asked = worlds === 'all' ? [sandboxes.root, ...sandboxes.list()] : [sandbox];
    const exchanges = asked.flatMap((each) => exchangesOf(each, origin));
    return harOf(
      exchanges.toSorted((one, other) => one.id - other.id).map(({ exchange }) => exchange),
      release(),
    );
  },
});

export const HAR_OPERATIONS = [har];
