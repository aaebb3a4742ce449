/**
 * What the product uses of `node:http`, without what the name of that module loads besides: an import of it reads all of
 * its exports, among them the WebSocket of Node with a whole HTTP client, and makes a start of the mock take a third longer.
 */
export const {
  createServer,
  IncomingMessage,
  request,
  ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} = process.getBuiltinModule('node:http');
