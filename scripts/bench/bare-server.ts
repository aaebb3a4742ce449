import { createServer } from 'node:http';

/**
 * The control of every measurement: reads the body, parses it, answers so many bytes, and does nothing else.
 * Arguments: the number of bytes, or the JSON, and the content type of its answers; or `silent`, and after how many
 * answers of nothing it gives none. Prints `{ "url" }` when it listens.
 */
const [bytes = '0', contentType = 'application/json'] = process.argv.slice(2);
const isSilent = bytes === 'silent';
const answers = isSilent ? Number(contentType) : Infinity;
let answered = 0;
const answer = bytes.startsWith('{') ? Buffer.from(bytes) : Buffer.alloc(isSilent ? 0 : Number(bytes), 'x');
const headers = { 'content-type': isSilent ? 'text/plain' : contentType, 'content-length': answer.length };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
    answered += 1;
    if (answered <= answers) response.writeHead(200, headers).end(answer);
  });
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/v1` })}\n`);
});
process.on('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
});
