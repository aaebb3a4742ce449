import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Server, startServer } from './run-server.ts';

/** nginx with these server blocks; `port`: one that they listen at. */
export function startNginx(blocks: string, port: number): Promise<Server> {
  return startServer({
    program: 'nginx',
    port,
    prepare: (folder) => writeFileSync(join(folder, 'nginx.conf'), configuration(folder, blocks)),
    args: (folder) => ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')],
  });
}

function configuration(folder: string, blocks: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n');
  return `
    daemon off;
    master_process off;
    pid ${join(folder, 'nginx.pid')};
    error_log stderr crit;
    events { worker_connections 512; }
    http {
      access_log off;
      ${paths}
      client_max_body_size 64m;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
      proxy_buffering off;
      ${blocks}
    }`;
}
