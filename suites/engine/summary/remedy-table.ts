/**
 * What remedies are named for: a framework of a language, or a library in it; where its documentation stands; a header that
 * shows it; and a body that it writes itself. A proxy passes chats on as they are; a gateway may read one and write another.
 */
export const FRAMEWORK_TABLE = String.raw`
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

/**
 * Under each kind of finding (its clauses, its codes, and what else has to show), the usual causes and what mends each, the
 * most common first; a deeper line continues the one before. `FRAMEWORK_TABLE` names the documentation that says so. `*`:
 * whatever the framework.
 */
export const REMEDY_TABLE = String.raw`
  unknown fields: REQ-6 SVC-5: accepted: one field, every field
    zod | z.object() drops what it does not name | z.strictObject({ … })
    pydantic | extra fields are ignored | model_config = ConfigDict(extra="forbid")
    encoding/json | unknown keys are ignored | decoder.DisallowUnknownFields()
    NestJS | ValidationPipe passes unknown properties, or only drops them (whitelist)
      | new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true })
    Fastify | Ajv drops what additionalProperties: false forbids (removeAdditional: true)
      | Fastify({ ajv: { customOptions: { removeAdditional: false } } })
    Spring Boot | Jackson does not fail on unknown properties
      | spring.jackson.deserialization.fail-on-unknown-properties=true
    ASP.NET | System.Text.Json skips them | UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow
    Gin | JSON binding ignores unknown keys | binding.EnableDecoderDisallowUnknownFields = true
    serde | unknown fields are ignored | #[serde(deny_unknown_fields)]
    Django REST | serializers ignore them | in validate(): refuse self.initial_data.keys() - self.fields.keys()
    Rails | strong parameters drop what is not permitted
      | config.action_controller.action_on_unpermitted_parameters = :raise
    Laravel | validated() returns known keys alone | refuse array_diff(array_keys($request->json()->all()), $known)
  a field in another case: REQ-6: accepted: a known field, not every field
    encoding/json | keys match in any case | compare the keys of a map[string]json.RawMessage first
    ASP.NET | the web defaults match names in any case | PropertyNameCaseInsensitive = false
  some unknown fields: REQ-6 SVC-5: accepted: one field, not a known field, not every field
    LiteLLM | drop_params removes what a provider does not take | litellm_settings: drop_params: false
    * | only some fields are refused, by name | refuse every field except the five
  text for a value: REQ-3 REQ-4 REQ-5: accepted: text, every value
    zod | z.coerce converts text | z.number(), z.boolean()
    pydantic | lax mode converts text | model_config = ConfigDict(strict=True)
    Jackson | scalars are coerced | mapper.disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
    Spring Boot | Jackson coerces scalars | spring.jackson.mapper.allow-coercion-of-scalars=false
    Fastify | Ajv coerces types | Fastify({ ajv: { customOptions: { coerceTypes: false } } })
    NestJS | enableImplicitConversion converts text | transformOptions: { enableImplicitConversion: false }
    Joi | text is converted by default | schema.validate(body, { convert: false })
    Django REST | FloatField, IntegerField and BooleanField parse text | a field whose to_internal_value checks the type
    PHP | weak types convert text | declare(strict_types=1); and is_int(), is_float(), is_bool()
  text for a number: REQ-3 REQ-4: accepted: text, every value
    ASP.NET | the web defaults read numbers from text | NumberHandling = JsonNumberHandling.Strict
    Laravel | numeric and integer take text | "numeric:strict", "integer:strict"
  a fraction: REQ-4: accepted: number
    zod | z.number() takes fractions | z.int()
    Jackson | fractions are cut off | mapper.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
  no text for text: REQ-1 MSG-2: accepted: not nothing, not null
    Fastify | Ajv coerces types, lists of one element too | Fastify({ ajv: { customOptions: { coerceTypes: false } } })
    zod | z.coerce.string() takes anything | z.string()
  unlisted models: SVC-7 ERR-3: accepted
    LiteLLM | a wildcard, an alias or a fallback serves them | exact names in model_list, no default_fallbacks
    Portkey | a config overrides the model | no "model" in override_params
    * | a model ID is served that GET /models does not list | refuse every model ID that is not exactly in that list
  another role: MSG-1: accepted: text
    zod | the role is any text | z.enum(["system", "user", "assistant"])
    pydantic | the role is any str | role: Literal["system", "user", "assistant"]
  a role that is no text: MSG-1: accepted: number or boolean
    Jackson | enums take ordinals | mapper.enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
    PHP | in_array() compares loosely | in_array($role, $roles, true)
  no error object: ERR-1 ERR-11 STR-4: no-error-object no-code no-message no-request-id items-missing
    Express | its default handler writes HTML | app.use((error, req, res, next) => …) after every route
    FastAPI | it writes {"detail": …} | @app.exception_handler(RequestValidationError), and of StarletteHTTPException
    Spring Boot | BasicErrorController writes its own body
      | @RestControllerAdvice class … extends ResponseEntityExceptionHandler
    NestJS | its exception layer writes statusCode and message | app.useGlobalFilters(new YourFilter())
    Fastify | it writes statusCode, error and message | app.setErrorHandler(…); app.setNotFoundHandler(…)
    ASP.NET | [ApiController] writes ProblemDetails | ApiBehaviorOptions.InvalidModelStateResponseFactory = …
    Django REST | it writes {"detail": …} | REST_FRAMEWORK = {"EXCEPTION_HANDLER": "…"}
    Django | it writes HTML | handler400, handler404 and handler500 in the root URLconf
    Flask | it writes HTML | @app.errorhandler(HTTPException)
    aiohttp | it writes the status as text | @web.middleware that catches web.HTTPException
    Rails | its exceptions app writes its own body | config.exceptions_app = routes
    Sinatra | it writes HTML | set :show_exceptions, false; error do … end; not_found do … end
    Laravel | its handler writes its own body | ->withExceptions(fn ($exceptions) => $exceptions->render(…))
    Koa | it writes the status as text | a first middleware with try { await next() } catch …
    Hono | it writes text | app.onError(…); app.notFound(…)
    Gin | c.Bind answers 400 itself | c.ShouldBindJSON(…); router.NoRoute(…)
    Echo | it writes {"message": …} | e.HTTPErrorHandler = …
    net/http | http.Error and ServeMux write text | a function of your own in place of http.Error
    Axum | the rejection of Json is text | a handler that takes Result<Json<Chat>, JsonRejection>
    Actix | the error of web::Json is text | web::JsonConfig::default().error_handler(…)
  a page of a front: ERR-1: front-answered
    nginx | it answers itself | error_page 413 429 502 503 504 @error; that returns the error object
    HAProxy | it answers itself | http-error status 413 content-type application/json file …
    Envoy | it answers itself, in text | local_reply_config with body_format_override.json_format
    Varnish | it answers itself, in HTML | synthetic({"…"}) in vcl_synth and vcl_backend_error
    Cloudflare | it answers itself, in HTML | a custom error rule
    AWS ALB | it answers itself, in HTML | limits of the service below those of the balancer
    API Gateway | it answers with a message alone | gateway responses DEFAULT_4XX and DEFAULT_5XX
    Kong | it answers with a message alone | error_template_json in kong.conf
    API Management | it answers with statusCode and message | return-response in on-error
  a body over a limit: ERR-1 ERR-4 ERR-11: no-error-object front-answered: status 413
    nginx | it accepts only 1 MB by default | client_max_body_size 20m;
    Express | express.json() accepts only 100 kB by default | express.json({ limit: "20mb" })
    Fastify | it accepts only 1 MiB by default | Fastify({ bodyLimit: 20 * 2 ** 20 })
    aiohttp | it accepts only 1 MiB by default | web.Application(client_max_size=20 * 2**20)
    Axum | it accepts only 2 MB by default | DefaultBodyLimit::max(20_000_000)
    ASP.NET | Kestrel accepts only 30,000,000 bytes by default | options.Limits.MaxRequestBodySize = …
    Django | it accepts only 2.5 MB by default | DATA_UPLOAD_MAX_MEMORY_SIZE = 20 * 2**20
  a rate limiter: ERR-1 ERR-5: no-error-object front-answered: status 429, not JSON
    express-rate-limit | it answers with text | rateLimit({ handler: (req, res) => … })
    Rack::Attack | it answers with text | Rack::Attack.throttled_responder = lambda { … }
  an exception: ERR-11 SVC-1 SVC-4 MOD-2: failed: status 500, an object sent
    * | an exception: code throws on what this request has and nothing catches it
      | the stack trace in its log; then serve such requests, or refuse them with an error object
  a state that is lost: ERR-11: died: status 500
    * | a full disk, a lost connection to a database, or a lock that an earlier exception kept
      | its log from this request on, and just before it
  a server error: ERR-11: failed: status 500, not an object sent
    Express | the handler answers 500 to what body-parser refuses with 400 | res.status(error.status ?? 500)
    Python | json.loads(request.body) or body["…"] raises | except ValueError; isinstance(body, dict)
    Spring Boot | @ExceptionHandler(Exception.class) catches HttpMessageNotReadableException too | a handler of its own
    PHP | json_decode() returns null for what is no JSON | json_decode($body, flags: JSON_THROW_ON_ERROR)
  tokens as they come: STR-2: trickles
    * | events of the model are forwarded immediately | call the model without stream, then write the events
  a stream without a type: STR-1: no-event-stream: no type
    FastAPI | StreamingResponse has no type | StreamingResponse(…, media_type="text/event-stream")
    Express | no type was set | res.set("Content-Type", "text/event-stream")
  a stream as text/html: STR-1: no-event-stream: text/html
    Flask | a Response is text/html | Response(…, mimetype="text/event-stream")
    PHP | text/html is the default | header("Content-Type: text/event-stream")
  split characters: STR-3: split-character not-utf8
    Node.js | chunk.toString() cuts characters apart | new TextDecoderStream(), or setEncoding("utf8")
    Python | chunk.decode() cuts characters apart | codecs.getincrementaldecoder("utf-8")()
  a last event cut off: STR-3: cut-off
    * | clients drop an event without an empty line after it | end every event with \n\n
  a refusal in a stream: STR-4: streamed
    FastAPI | the generator runs after the status has left | validate before return StreamingResponse(…)
    * | the status leaves before the request is validated | validate first
  a stream without usage: RES-4: no-usage: a stream
    * | the upstream model reports usage only on request | send it stream_options: { include_usage: true }
  no key, or a wrong one: AUTH-1: accepted: not scheme, not in the other case, not elsewhere
    Express | a route that stands before app.use(auth) is open | app.use(auth) before every route
    * | the route is registered outside of what checks the key | register it behind that, as the other endpoints
  another scheme: AUTH-1: accepted: scheme
    * | the scheme is not compared | compare the whole header with "Bearer " and the key
  a key in the other case: AUTH-1: accepted: in the other case
    * | keys are compared without case, as some databases do by default | compare them exactly
  a key elsewhere: AUTH-1: accepted: elsewhere
    Laravel | the token guard takes api_token from body and address too | $request->bearerToken()
  JSON as text/html: VER-2: json-untold: text/html
    Express | res.send() of a text is text/html | res.json(…)
    Flask | a text of json.dumps() is text/html | jsonify(…)
    Django | HttpResponse is text/html | JsonResponse(…)
    PHP | text/html is the default | header("Content-Type: application/json")
    Sinatra | text/html is the default | content_type :json
  JSON as text/plain: VER-2: json-untold: text/plain
    net/http | the type is guessed at the first Write | w.Header().Set("Content-Type", "application/json")
`;

/** The cells of each row of a table that is written as text. */
export function rowsOf(table: string): readonly (readonly string[])[] {
  const rows = table
    .trim()
    .replaceAll(/\n {6}\|/g, ' |')
    .split('\n');
  return rows.map((row) => row.split(/ \|(?= |$)/).map((cell) => cell.trim()));
}

/** The rows of a table, each with the parts of the head above it, which is a row of one cell. */
export function rowsUnderHeads(table: string) {
  let head: readonly string[] = [];
  return rowsOf(table).flatMap((row) => {
    const [first = '', ...more] = row;
    if (more.length > 0) return { head, row };
    head = first.split(': ');
    return [];
  });
}
