import timers from 'node:timers';
import promised from 'node:timers/promises';

/** Node's own timers, as they were when this was loaded: tests of a client replace the global ones, and those of Node's modules. */
export const { setTimeout, clearTimeout, setImmediate } = timers;

/** Resolves in the next turn of the event loop. */
export const nextTurn = promised.setImmediate;

/** Yields every so many milliseconds. */
export const everyMs = promised.setInterval;
