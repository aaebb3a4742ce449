import type { MockOptions } from '../../../mock-server/start-mock.ts';
import type { Exchange } from '../../../suites/engine/model/exchange.ts';
import type { RunOptions, Target } from '../../../suites/engine/model/run.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { runSuites } from '../../../suites/engine/running/run-suites.ts';
import { shortRun, targetOf } from './journalled-run.ts';
import { type Layer, type Meddling, type Seen, startLayer } from './layer.ts';

/** A mock behind a layer, as a target, until the test ends. */
export async function layeredTarget(
  meddle: (seen: Seen) => Meddling,
  mock: MockOptions = {},
  kind: Target['kind'] = 'mock',
): Promise<{ readonly layer: Layer; readonly target: Target }> {
  const layer = await startLayer(meddle, mock);
  return { layer, target: targetOf(layer.mock, { baseUrl: layer.baseUrl, kind }) };
}

interface LayeredRun {
  readonly layer: Layer;
  readonly summary: Summary;
  /** All exchanges, also those that were not sent. */
  readonly exchanges: readonly Exchange[];
  readonly options: RunOptions;
}

interface LayeredOptions extends Partial<RunOptions> {
  readonly mock?: MockOptions;
  readonly kind?: Target['kind'];
  readonly profile?: Target['profile'];
}

/** A short run of every check against a mock behind a layer, with its control API where the mock has one. */
export async function layeredRun(
  meddle: (seen: Seen) => Meddling,
  { mock, kind, profile = {}, ...more }: LayeredOptions = {},
): Promise<LayeredRun> {
  const { layer, target } = await layeredTarget(meddle, mock, kind);
  const exchanges: Exchange[] = [];
  const { control } = layer.mock;
  const options = shortRun(
    { ...target, profile },
    { ...(control !== undefined && { control: { url: control } }), ...more },
  );
  const summary = await runSuites({ ...options, onExchange: (exchange) => exchanges.push(exchange) });
  return { layer, summary, exchanges, options };
}
