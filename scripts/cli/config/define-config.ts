import type { Configuration } from './configuration.ts';

/** Returns the configuration as it is: for its types, in `chat-conformance.config.ts`. */
export function defineConfig(configuration: Configuration): Configuration {
  return configuration;
}
