// What the product is compared with: a program on node:http that does no more than it must.
//
//     bare.mjs serve TEXT [TYPE]   reads and parses a body, and answers with this text
//     bare.mjs hold COUNT          answers so many requests with nothing, and no further one
//
// Prints { "url" } when it listens.
import { createServer } from 'node:http';

const [mode, what = '', type = 'application/json'] = process.argv.slice(2);

function serve(answer, count = Infinity) {
  const headers = { 'content-type': type, 'content-length': answer.length };
  let answered = 0;
  return (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
      answered += 1;
      if (answered <= count) response.writeHead(200, headers).end(answer);
    });
  };
}

const MODES = {
  serve: () => serve(Buffer.from(what)),
  hold: () => serve(Buffer.alloc(0), Number(what)),
};

const server = createServer(MODES[mode]());
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/v1` })}\n`);
});
process.on('SIGTERM', () => process.exit());
