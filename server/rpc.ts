import { ORPCError } from "@orpc/client";
import { BodyLimitPlugin, RPCHandler } from "@orpc/server/fetch";
import { ResponseHeadersPlugin, SimpleCsrfProtectionHandlerPlugin } from "@orpc/server/plugins";
import { httpStatus } from "#contract/errors.ts";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";
import { router } from "#server/features/index.ts";
import { errorForLog, type Log } from "#server/platform/log.ts";
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

/** Only what is declared leaves the server. Anything else is a bug: logged once, answered as `internal`. */
function answerable(error: unknown, log: Log): ORPCError<string, unknown> {
  if (error instanceof ORPCError) {
    const code = translated[error.code];
    if (code) return plain(code);
    if (error.defined) return error;
  }
  log.error({ err: errorForLog(error) }, "a procedure failed");
  return plain("internal");
}

/** The contract over HTTP: a POST with JSON to /rpc/{feature}/{procedure}. */
export function createRpcHandler(log: Log) {
  const handler = new RPCHandler(router, {
    plugins: [
      new ResponseHeadersPlugin(),
      new SimpleCsrfProtectionHandlerPlugin(),
      new BodyLimitPlugin({ maxBodySize: largestBody }),
    ],
    interceptors: [
      async ({ next }) => {
        try {
          return await next();
        } catch (error) {
          throw answerable(error, log);
        }
      },
    ],
  });

  return async (request: Request, context: RequestContext): Promise<Response> => {
    const { matched, response } = await handler.handle(request, { prefix: "/rpc", context });
    if (matched) return response;
    return Response.json({ json: plain("not-found").toJSON() }, { status: 404 });
  };
}
