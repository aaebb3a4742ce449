import type { GatewayBody, GatewayStatus } from './trouble.ts';

/** What a gateway sends on its own account (ERR-7): it knows nothing of error objects or request IDs. */
export interface GatewayPage {
  readonly contentType: string | null;
  /** In ASCII. */
  readonly body: string;
}

const SAYINGS: Readonly<Record<GatewayStatus, readonly [title: string, reason: string]>> = {
  502: ['Bad Gateway', 'The server behind this gateway gave no valid answer.'],
  503: ['Service Unavailable', 'No server behind this gateway can take the request now.'],
  504: ['Gateway Timeout', 'The server behind this gateway did not answer in time.'],
};

/** The page of a status, as HTML, as a line of text, or empty. */
export function gatewayPage(status: GatewayStatus, form: GatewayBody): GatewayPage {
  const [title, reason] = SAYINGS[status];
  switch (form) {
    case 'html':
      return { contentType: 'text/html', body: htmlPage(`${status} ${title}`, reason) };
    case 'text':
      return { contentType: 'text/plain', body: `${status} ${title}: ${reason}\n` };
    case 'empty':
      return { contentType: null, body: '' };
  }
}

function htmlPage(title: string, reason: string): string {
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    `<head><title>${title}</title></head>`,
    `<body><h1>${title}</h1><p>${reason}</p></body>`,
    '</html>',
    '',
  ].join('\n');
}
