import type { Sandbox } from '../../mock-server/sandboxes/sandbox.ts';
import type { Witness } from '../../mock-server/sandboxes/witness.ts';
import type { SeenRequest, Timeline } from '../../suites/caller/timeline.ts';
import { redactorOf } from '../../suites/kit/sending/redact.ts';
import { seeLooks } from './see-looks.ts';
import { seeRequest } from './see-request.ts';

/** Where a caller is watched. */
export interface WatchPost {
  readonly service: Sandbox;
  /** What plays another provider; undefined: nothing does. */
  readonly elsewhere?: Sandbox | undefined;
  readonly began: number;
}

/** What is known of a caller beside what arrived. */
export type Beside = Pick<
  Timeline,
  'scenario' | 'wishes' | 'atOnce' | 'records' | 'timeoutMs' | 'secretModels' | 'end'
> & {
  /** When the watch ended, by the process's monotonic clock. */
  readonly over: number;
};

const SETTLING_MS = 300;
const LOOK_EVERY_MS = 10;

function isOpen({ sightings }: Witness): boolean {
  return sightings.some(
    ({ entry, goneAt }) => entry.ended === null || (entry.ended === 'silent' && goneAt === null),
  );
}

/** Waits, for a moment at most, until the ends of the connections of a process that is gone have arrived. */
export async function settled({ service, elsewhere }: WatchPost): Promise<void> {
  const witnesses = [service.witness, elsewhere?.witness].filter((witness) => witness !== undefined);
  for (let waited = 0; waited < SETTLING_MS && witnesses.some(isOpen); waited += LOOK_EVERY_MS)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}

function keysOf(sandbox: Sandbox | undefined): readonly string[] {
  return (sandbox?.service.world.keys ?? []).map(({ key }) => key);
}

/** Takes the keys of these sandboxes out of texts. */
export function withoutKeysOf({ service, elsewhere }: WatchPost): (text: string) => string {
  const [primary = '', ...others] = [...keysOf(service), ...keysOf(elsewhere)];
  const named = Object.fromEntries(others.map((key, index) => [`key-${index + 2}`, key]));
  return redactorOf({ keys: { primary, ...named }, headers: {} }).text;
}

function requestsAt(
  post: WatchPost,
  place: SeenRequest['place'],
  over: number,
): readonly Omit<SeenRequest, 'n'>[] {
  const sandbox = place === 'service' ? post.service : post.elsewhere;
  const { world } = sandbox?.service ?? post.service.service;
  const withoutKeys = withoutKeysOf(post);
  const vantage = { place, world, serviceKeys: keysOf(post.service), withoutKeys, began: post.began, over };
  return (sandbox?.witness?.sightings ?? []).map((sighting) => seeRequest(sighting, vantage));
}

/** All that was seen of a caller so far, as a timeline. */
export function seeCaller(post: WatchPost, { over, ...beside }: Beside): Timeline {
  const requests = [...requestsAt(post, 'service', over), ...requestsAt(post, 'elsewhere', over)]
    .toSorted((one, other) => one.arrivedAt - other.arrivedAt)
    .map((request, index) => Object.assign({ n: index + 1 }, request));
  const looks = seeLooks(post.service.witness?.looks ?? [], post.began);
  return { ...beside, requests, looks };
}
