import { expect, test } from 'vitest';
import type { Network } from '../kit/test-support/simulated-link.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { streamIsBuffered } from './stream-is-buffered.ts';
import { exchangesWith, type SimulatedService, type Writing } from './test-support/simulated-streams.ts';

const INFO = infoForTest();

/** From a slow modem to a fast line. */
const BYTES_PER_SECOND = [4e3, 20e3, 100e3, 1e6, 100e6];

/** Every line with these round trips, every second one with jitter. */
function networks(roundTrips: readonly number[]): readonly Network[] {
  return roundTrips.flatMap((roundTripMs, i) =>
    BYTES_PER_SECOND.map((bytesPerSecond, j) => ({
      roundTripMs,
      bytesPerSecond,
      jitterMs: (i + j) % 2 === 0 ? 0 : Math.min(50, 0.3 * roundTripMs),
    })),
  );
}

interface Tried {
  readonly kind: string;
  readonly service: string;
}

/** The rulings on services with all combinations of these. */
function rulingsOn(
  writings: readonly Writing[],
  over: readonly Network[],
  models: readonly number[],
): readonly Tried[] {
  const services = writings.flatMap((writing) =>
    over.flatMap((network) =>
      models.map((modelMs, i): SimulatedService => {
        const seed = network.roundTripMs + network.bytesPerSecond / 1e3 + i;
        const events = seed % 2 === 0 ? 60 : 256;
        return { network, writing, modelMs, events, inRecords: seed % 3 === 0, seed };
      }),
    ),
  );
  return services.map((service) => {
    const { kind } = streamIsBuffered.holds({ exchanges: exchangesWith(service) }, INFO);
    return { kind, service: JSON.stringify(service) };
  });
}

test('blames no buffered stream, however far and slow the network', () => {
  const tried = rulingsOn(
    ['at-once', 'event-by-event'],
    networks([1, 10, 50, 100, 150, 200, 300, 400]),
    [0, 60, 300],
  );
  expect(tried.filter(({ kind }) => kind === 'violated')).toEqual([]);
});

const TRICKLING: readonly Writing[] = ['trickling', 'first-half-early'];

test('blames every stream that trickles, up to a round trip of 200 ms', () => {
  const tried = rulingsOn(['trickling'], networks([1, 10, 50, 100, 150, 200]), [600, 2000]);
  expect(tried.filter(({ kind }) => kind !== 'violated')).toEqual([]);
});

test('blames every stream that begins early, where the network carries the first half before the second is written', () => {
  const over = networks([1, 10, 50, 100, 150, 200]).filter(({ bytesPerSecond }) => bytesPerSecond >= 100e3);
  const tried = rulingsOn(['first-half-early'], over, [1200, 2000]);
  expect(tried.filter(({ kind }) => kind !== 'violated')).toEqual([]);
});

test('passes no stream that trickles, however far and slow the network', () => {
  const tried = rulingsOn(TRICKLING, networks([1, 50, 200, 300, 400]), [60, 300]);
  expect(tried.filter(({ kind }) => kind === 'holds')).toEqual([]);
});
