import type { GivenAnswer } from './answers/compile-answers.ts';
import type { Operation } from './control/operation.ts';
import type { FaultWords } from './faults/compile-faults.ts';
import { explained, suggestion } from './input/input-error.ts';
import type { ShownEntry } from './journal/shown-exchange.ts';
import type { WorldPart } from './world/world-schema.ts';

export interface MockOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number | undefined;
  /** 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** Whether the process may end while the mock listens; not by default. */
  readonly background?: boolean;
  /** What differs from the built-in world. */
  readonly world?: WorldPart | undefined;
  /** Equal seeds give equal texts and IDs; 1 by default. */
  readonly seed?: number | undefined;
  /** Milliseconds added to every completion. */
  readonly latency?: number | undefined;
  /** Receives one line for each unexpected failure. */
  readonly log?: (line: string) => void;
  /** Called when a request has ended. */
  readonly requestEnded?: ((entry: ShownEntry) => void) | undefined;
  /** Armed in the mock's own world at the start, and again after each reset, before those of the world. */
  readonly faults?: readonly FaultWords[] | undefined;
  /** Chosen answers of the mock's own world, before those of the world's file; a sandbox starts without them. */
  readonly answers?: readonly GivenAnswer[] | undefined;
  /** Whether `/control` is served. */
  readonly control?: boolean;
  /** The bearer token of control requests. Required unless the host is a loopback address. */
  readonly controlToken?: string | undefined;
  /** The way in which the mock breaks the specification, or several at once; absent: it is faithful. */
  readonly defect?: string | readonly string[] | undefined;
}

/** With what only this project starts a mock with. */
export interface HostOptions extends MockOptions {
  /** False: journals are kept only for a control API or `requestEnded`. */
  readonly journal?: boolean;
  /** Milliseconds before a chat is looked at: requests that are sent at once are all under way before one is refused. */
  readonly latencyPerRequest?: number;
  /** Whether each sandbox records its requests whole, secrets included. */
  readonly witnessed?: boolean;
  /** Further operations of the control API. */
  readonly operations?: readonly Operation[];
  /** Whether members that the specification does not know are ignored: for judges of callers, which see them. */
  readonly lenient?: boolean;
}

const NAMES = (
  'port host background world seed latency latencyPerRequest log requestEnded faults answers ' +
  'control controlToken journal witnessed operations lenient defect'
).split(' ');

/** Throws for the first option that does not exist: a misspelt one would do nothing. `caller`: what was called. */
export function checkOptions(options: HostOptions, caller?: string): void {
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw new OptionError(unknown, `no option is called so${suggestion(unknown, NAMES)}`, { caller });
}

/** One line: the option, the place in it, the problem. Its cause is the InputError of a value that is read. */
export class OptionError extends TypeError {
  readonly option: string;

  constructor(option: string, problem: string, { caller = 'startMock', cause }: OfCall = {}) {
    super(`${caller}: ${option}${problem.startsWith('/') ? '' : ': '}${problem}`, { cause });
    this.option = option;
  }
}

type OfCall = ErrorOptions & { readonly caller?: string | undefined };

/** Makes something of the value of an option. Throws an OptionError for an InputError. */
export function fromOption<Made>(option: string, make: () => Made, caller?: string): Made {
  return explained(make, (cause) => new OptionError(option, cause.message, { caller, cause }));
}
