import { ORPCError } from "@orpc/client";
import { BodyLimitPlugin, RPCHandler } from "@orpc/server/fetch";
import { ResponseHeadersPlugin, SimpleCsrfProtectionHandlerPlugin } from "@orpc/server/plugins";
import { httpStatus } from "#contract/errors.ts";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";
import { router } from "#server/features/index.ts";
import type { Log } from "#server/platform/log.ts";
import type { RequestContext } from "#server/procedures.ts";

/** Bytes: the longest form is far shorter. Files have an endpoint of their own. */
const largestBody = 128 * 1024;

/** The library's own refusals of what can't be read, in our words. */
const translated: Record<string, ErrorCode> = {
  BAD_REQUEST: "invalid-argument",
  PAYLOAD_TOO_LARGE: "invalid-argument",
  UNSUPPORTED_MEDIA_TYPE: "invalid-argument",
  CSRF_TOKEN_MISMATCH: "permission-denied",
  METHOD_NOT_SUPPORTED: "invalid-argument",
  NOT_FOUND: "not-found",
};

const plain = (code: ErrorCode) =>
  new ORPCError(code, { status: httpStatus(code), message: messageOf[code], defined: true });

function bug(error: unknown, log: Log): ORPCError<string, unknown> {
  log.error({ err: error }, "a procedure failed");
  return plain("internal");
}

/** What a procedure throws is an error with a code, or a bug: logged once, answered as `internal`. */
const thrown = (error: unknown, log: Log) => (error instanceof ORPCError ? error : bug(error, log));

/**
 * What goes out: only declared errors, and the library's own refusals in our words. Here, outside the procedure,
 * whatever has no code yet comes from a body that can't be read.
 */
function answerable(error: unknown, log: Log): ORPCError<string, unknown> {
  if (!(error instanceof ORPCError)) return plain("invalid-argument");
  const code = translated[error.code];
  if (code) return plain(code);
  return error.defined ? error : bug(error, log);
}

/** The contract over HTTP: a POST with JSON to /rpc/{feature}/{procedure}. */
export function createRpcHandler(log: Log) {
  const handler = new RPCHandler(router, {
    plugins: [
      new ResponseHeadersPlugin(),
      new SimpleCsrfProtectionHandlerPlugin(),
      new BodyLimitPlugin({ maxBodySize: largestBody }),
    ],
    clientInterceptors: [({ next }) => next().catch((error: unknown) => Promise.reject(thrown(error, log)))],
    interceptors: [({ next }) => next().catch((error: unknown) => Promise.reject(answerable(error, log)))],
  });

  return async (request: Request, context: RequestContext): Promise<Response> => {
    const { matched, response } = await handler.handle(request, { prefix: "/rpc", context });
    if (matched) return response;
    return Response.json({ json: plain("not-found").toJSON() }, { status: 404 });
  };
}
