import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Server, startServer } from './run-server.ts';

/** haproxy with these frontends and backends; `port`: one that they bind. */
export function startHaproxy(sections: string, port: number): Promise<Server> {
  return startServer({
    program: 'haproxy',
    port,
    prepare: (folder) => writeFileSync(join(folder, 'haproxy.cfg'), configuration(sections)),
    args: (folder) => ['-db', '-q', '-f', join(folder, 'haproxy.cfg')],
  });
}

function configuration(sections: string): string {
  return `
global
  maxconn 500
defaults
  mode http
  retries 0
  timeout connect 2s
  timeout client 60s
  timeout server 60s
${sections}
`;
}
