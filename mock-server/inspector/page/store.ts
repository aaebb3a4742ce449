import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { WorldsEvent } from '../../control/event-stream.ts';
import type { ShownEntry } from '../../journal/shown-exchange.ts';
import { authorization, messageOf, type WorldId } from './control-api.ts';

/** What the event stream has said so far. */
export interface Heard {
  /** Names a run of the mock. */
  readonly mock: string;
  /** Oldest first. */
  readonly entries: readonly ShownEntry[];
  readonly worlds: readonly WorldId[];
}

export interface Shown extends Heard {
  readonly connection: 'connecting' | 'live' | 'lost' | 'locked';
  /** Changes with every batch of events: what the control API answered may have changed. */
  readonly version: number;
  /** What became of the last action. */
  readonly notice: { readonly text: string; readonly isProblem: boolean } | undefined;
}

/** As many as the journal of a world holds. */
const MOST_ENTRIES = 10_000;
const RETRY_MS = 1000;
/** Events that come within this time are drawn together: thousands come in many pieces. */
const GATHER_MS = 100;

type FeedEvent = Pick<EventSourceMessage, 'event' | 'data'>;

/** What is known after further events: each request once, in its latest state, and none that a reset has dropped. */
export function withEvents(heard: Heard, events: readonly FeedEvent[]): Heard {
  let { mock, worlds } = heard;
  const entries = new Map(heard.entries.map((entry) => [entry.id, entry]));
  for (const { event, data } of events) {
    if (event === 'request') {
      const entry: ShownEntry = JSON.parse(data);
      entries.set(entry.id, entry);
    }
    if (event === 'worlds') {
      const told: WorldsEvent = JSON.parse(data);
      if (told.mock !== mock) entries.clear();
      mock = told.mock;
      worlds = told.worlds.map(({ sandbox }) => sandbox);
      const since = new Map(told.worlds.map((world) => [world.sandbox, world.since]));
      for (const { id, sandbox } of entries.values())
        if (id <= (since.get(sandbox) ?? Infinity)) entries.delete(id);
    }
  }
  const ordered = [...entries.values()].toSorted((one, other) => one.id - other.id);
  return { mock, worlds, entries: ordered.slice(-MOST_ENTRIES) };
}

const NOTHING = { mock: '', entries: [], worlds: [null] };
let shown: Shown = { ...NOTHING, connection: 'connecting', version: 0, notice: undefined };
let draw: (shown: Shown) => void = () => {};
let lastEventId = '';
let gathered: FeedEvent[] = [];

function show(change: Partial<Shown>): void {
  shown = { ...shown, ...change };
  draw(shown);
}

/** Draws the page, and again after each change. */
export function start(drawPage: (shown: Shown) => void): void {
  draw = drawPage;
  void connect();
}

/** Follows the mock, also after a lost connection. Ends when the mock wants a token; is called again with one. */
export async function connect(): Promise<void> {
  show({ connection: 'connecting' });
  for (;;) {
    const isLocked = await readEvents().catch(() => false);
    if (isLocked) return show({ connection: 'locked' });
    show({ connection: 'lost' });
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Reads until the connection ends. Returns whether the mock wants a token, or another one. */
async function readEvents(): Promise<boolean> {
  const headers = { ...authorization(), 'last-event-id': lastEventId };
  const response = await fetch('/control/events', { headers, cache: 'no-store' });
  if (response.status === 401) return true;
  if (!response.ok || response.body === null) return false;
  show({ connection: 'live' });
  const parser = createParser({ onEvent: gather });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) parser.feed(part.value);
  return false;
}

function gather(event: EventSourceMessage): void {
  lastEventId = event.id ?? lastEventId;
  if (gathered.push(event) > 1) return;
  setTimeout(() => {
    const events = gathered;
    gathered = [];
    show({ ...withEvents(shown, events), version: shown.version + 1 });
  }, GATHER_MS);
}

/** Runs what the reader asked for, and tells what it resolves to, or why it failed, unless `refused` does. */
export function attempt(
  run: () => Promise<string>,
  refused = (error: unknown) => show({ notice: { text: messageOf(error), isProblem: true } }),
): void {
  run().then((text) => show({ notice: { text, isProblem: false } }), refused);
}

export function dismissNotice(): void {
  show({ notice: undefined });
}
