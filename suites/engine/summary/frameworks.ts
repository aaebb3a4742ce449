import type { ShownExchange } from '../model/summary.ts';

/**
 * What remedies are named for: a framework of a language, or a library in it; where its documentation stands; a header that
 * shows it; and a body that it writes itself. A proxy passes chats on as they are; a gateway may read one and write another.
 */
const FRAMEWORKS = String.raw`
  Express | JavaScript | expressjs.com | x-powered-by: Express.* | <title>Error</title>\s*</head>\s*<body>\s*<pre>
  NestJS | JavaScript | docs.nestjs.com | | ^\{"message":(?=.*"statusCode":\d{3}\}$)
  Fastify | JavaScript | fastify.dev | | ^\{"statusCode":\d{3},(?=(?:"code":"\w+",)?"error":)
  Hono | JavaScript | hono.dev | | ^Malformed JSON in request body
  Koa | JavaScript | koajs.com
  Node.js | in JavaScript | nodejs.org/api/string_decoder
  zod | in JavaScript | zod.dev/api
  Joi | in JavaScript | joi.dev/api
  class-validator | in JavaScript | github.com/typestack/class-validator
  express-rate-limit | in JavaScript | github.com/express-rate-limit/express-rate-limit
  FastAPI | Python | fastapi.tiangolo.com | server: (?:uvicorn|hypercorn).* | ^\{"detail":(?!"(?:JSON parse|Authentication cred|Request was))
  Django REST | Python | django-rest-framework.org | | ^\{"detail":"(?:JSON parse|Authentication cred|Request was)
  Django | Python | docs.djangoproject.com | server: WSGIServer.* | <h1>(?:Bad Request \(400\)|Server Error \(500\))</h1>
  Flask | Python | flask.palletsprojects.com | server: Werkzeug.* | ^<!doctype html>\n<html lang=en>\n<title>
  aiohttp | Python | docs.aiohttp.org | server: .*aiohttp.* | ^\d{3}: [A-Z][\w ]+$
  Python | in Python | docs.python.org/3/library/codecs, json | server: gunicorn.*
  pydantic | in Python | docs.pydantic.dev
  Spring Boot | Java | docs.spring.io/spring-boot | | ^\{"timestamp":(?=.*"status":\d{3})(?=.*"path":)
  Jackson | in Java | github.com/FasterXML/jackson-databind
  ASP.NET | C# | learn.microsoft.com/aspnet/core
      | (?:server: Kestrel|x-powered-by: ASP\.NET).* | ^\{"type":"https://tools\.ietf\.org/html/rfc
  net/http | Go | pkg.go.dev/net/http | | ^404 page not found|^(?:json: |invalid character )
  encoding/json | in Go | pkg.go.dev/encoding/json
  Gin | Go | gin-gonic.com | | "Key: '\w+\.\w+' Error:Field validation
  Echo | Go | echo.labstack.com
  Axum | Rust | github.com/tokio-rs/axum | | ^Failed to (?:deserialize|parse) the (?:JSON|request) body
  Actix | Rust | actix.rs/docs | | ^Json deserialize error
  serde | in Rust | serde.rs
  PHP | in PHP | php.net/manual | x-powered-by: PHP.*
  Laravel | PHP | laravel.com/docs | set-cookie: laravel_session | ^\{"message":"(?:Server Error|Unauthenticated\.)
  Rails | Ruby | guides.rubyonrails.org | x-runtime: [\d.]+ | ^\{"status":\d{3},"error":
  Sinatra | Ruby | sinatrarb.com | | Sinatra doesn.t know this ditty
  Rack::Attack | in Ruby | github.com/rack/rack-attack
  Portkey | gateway | portkey.ai/docs | x-portkey-.*
  LiteLLM | gateway | docs.litellm.ai | x-litellm-.*
  Cloudflare AI Gateway | gateway | developers.cloudflare.com/ai-gateway | cf-aig-.*
  Kong | gateway | developer.konghq.com | (?:x-kong-|server: kong|via: .*\bkong/).*
  API Management | gateway | learn.microsoft.com/azure/api-management
      | (?:ocp-apim-|apim-request-id: ).* | ^\{ "statusCode": \d{3}, "message":
  nginx | proxy | nginx.org/en/docs | server: nginx.* | <center>nginx
  HAProxy | proxy | docs.haproxy.org | | ^<html><body><h1>\d{3} [\w -]+</h1>\n
  Envoy | proxy | envoyproxy.io/docs | (?:server: envoy|x-envoy-).*
  Varnish | proxy | varnish-cache.org/docs | (?:x-varnish: |via: .*varnish).* | <p>XID: \d+</p>
  Cloudflare | proxy | developers.cloudflare.com | (?:cf-ray: |server: cloudflare).*
  AWS ALB | proxy | docs.aws.amazon.com/elasticloadbalancing | server: awselb.*
  API Gateway | proxy | docs.aws.amazon.com/apigateway | (?:x-amz-apigw-id|apigw-requestid): .*
`;

/** The cells of each row of a table that is written as text. */
export function rowsOf(table: string): readonly (readonly string[])[] {
  const rows = table
    .trim()
    .replaceAll(/\n {6}\|/g, ' |')
    .split('\n');
  return rows.map((row) => row.split(/ \|(?= |$)/).map((cell) => cell.trim()));
}

export interface Framework {
  readonly name: string;
  readonly language: string;
  /** Any framework of the language may use it. */
  readonly isLibrary: boolean;
  /** It is no service: it stands before one. */
  readonly isFront: boolean;
  readonly docs: string;
  readonly header: RegExp;
  readonly page: RegExp;
}

/** Nothing matches it. */
const NEVER = '(?!)';

export const ALL_FRAMEWORKS: ReadonlyMap<string, Framework> = new Map(
  rowsOf(FRAMEWORKS).map(([name = '', kind = '', docs = '', header, page]) => {
    const [isFront, isLibrary] = [/^(?:proxy|gateway)$/.test(kind), kind.startsWith('in ')];
    const signs = { header: new RegExp(`^${header || NEVER}`, 'm'), page: new RegExp(page || NEVER) };
    return [name, { name, language: kind.replace('in ', ''), isLibrary, isFront, docs, ...signs }];
  }),
);

/** A framework or a front that an answer shows, with what shows it. */
export interface Sign {
  readonly of: Framework;
  /** A header, or the beginning of a body. */
  readonly seen: string;
  /** The body is its own. */
  readonly isPage: boolean;
}

export function signsIn({ answer }: Pick<ShownExchange, 'answer'>): readonly Sign[] {
  if (answer === undefined) return [];
  const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  return [...ALL_FRAMEWORKS.values()].flatMap((of): Sign[] => {
    const page = of.page.exec(answer.body)?.[0];
    const seen = page ?? of.header.exec(headers.join('\n'))?.[0];
    return seen === undefined ? [] : [{ of, seen: seen.split('\n', 1).join(), isPage: page !== undefined }];
  });
}
