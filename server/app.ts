import { type Context, Hono, type MiddlewareHandler, type Next } from "hono";
import { etag } from "hono/etag";
import { requestId } from "hono/request-id";
import { LRUCache } from "lru-cache";
import { messageOf } from "#domain/error-catalogue.ts";
import { auctionKeysPath, endFilePath, historyPath, productStatePath } from "#protocol/addresses.ts";
import { routeOf } from "#server/metrics.ts";
import { requestAddress } from "#server/platform/client-address.ts";
import { memoize } from "#server/platform/memoize.ts";
import { jsonHeaders, securityHeaders } from "#server/platform/security-headers.ts";
import { isTracing, quote, requests, span } from "#server/platform/tracing.ts";
import type { Sender } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { auctionEndEndpoint } from "./endpoints/auction-end.ts";
import { auctionHistoryEndpoint, auctionLogEndpoints } from "./endpoints/auction-history.ts";
import { auditCsvEndpoint } from "./endpoints/audit-csv.ts";
import { bulkRunCsvEndpoint } from "./endpoints/bulk-run-csv.ts";
import { calendarEndpoint } from "./endpoints/calendar.ts";
import { fileEndpoint, uploadEndpoint, uploadOnBehalfEndpoint } from "./endpoints/documents.ts";
import { isOfType, refuseForeign } from "./endpoints/foreign-request.ts";
import { send } from "./endpoints/json.ts";
import { liveEndpoint } from "./endpoints/live.ts";
import { messageFileEndpoint, messageUploadEndpoint } from "./endpoints/message-files.ts";
import { letterEndpoint, letterUploadEndpoint } from "./endpoints/offer-letters.ts";
import { ownDataEndpoint } from "./endpoints/own-data.ts";
import { pictureEndpoint, pictureUploadEndpoint } from "./endpoints/pictures.ts";
import { productEndpoint } from "./endpoints/product.ts";
import { programmeExportEndpoint, programmeImportEndpoint } from "./endpoints/programme-files.ts";
import { reportCsvEndpoint } from "./endpoints/report-csv.ts";
import { requestFileEndpoint, requestUploadEndpoint } from "./endpoints/requests.ts";
import { createRpcHandler } from "./endpoints/rpc.ts";
import { studentExportEndpoint } from "./endpoints/student-export.ts";
import { studentFileEndpoint } from "./endpoints/student-file.ts";
import { studentImportEndpoint } from "./endpoints/student-import.ts";
import { ownDataPath } from "./features/documents/links.ts";
import { unsubscribe } from "./features/notifications/commands.ts";

/**
 * Returns the text that names the address for reports of vulnerabilities (RFC 9116). It must expire, within a year at
 * most.
 */
const securityTxt = ({ contactEmail, baseUrl }: Services["environment"], now: Date): string =>
  [
    `Contact: mailto:${contactEmail}`,
    `Expires: ${now.getUTCFullYear() + 1}-01-01T00:00:00Z`,
    "Preferred-Languages: en",
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    "",
  ].join("\n");

/**
 * Returns the server as a function of a request: health, /rpc, files, event streams at /live. Pages are added by main.
 * `first` handles each request before everything else.
 */
export function createApp(services: Services, first?: MiddlewareHandler): Hono {
  const { environment, database, storage } = services;
  const forPrograms = jsonHeaders(environment.baseUrl);
  const rpc = createRpcHandler(services, forPrograms);
  // A slash at the end of a path makes no difference.
  const app = new Hono({ strict: false });
  if (first) app.use(first);
  // Only our proxy may set a request's id: others could write text of their own into the log.
  app.use(requestId(environment.trustRequestIds ? {} : { headerName: "" }));
  app.use((c, next) => requests.run({ requestId: c.get("requestId") }, () => tracedRequest(c, next)));
  if (environment.metricsPort !== null || environment.accessLog) app.use(services.requestTimes.measure);

  async function tracedRequest(c: Context, next: Next): Promise<void> {
    if (!isTracing()) return await next();
    const remoteParent = environment.trustRequestIds ? c.req.header("traceparent") : undefined;
    await span("request", { remoteParent, isRequest: true }, async (own) => {
      await next();
      const route = routeOf(c);
      own?.updateName(`${c.req.method} ${route}`);
      own?.setAttributes({
        "http.request.method": c.req.method,
        "http.route": route,
        "http.response.status_code": c.res.status,
        "wayfare.request_id": c.get("requestId"),
      });
      if (c.res.status >= 500) own?.setStatus({ code: 2 });
    });
  }

  const addressOf = (c: Context) => requestAddress(c, environment.trustProxy);
  const senderOf = (c: Context): Sender => ({
    address: addressOf(c),
    userAgent: c.req.header("user-agent") ?? null,
    cookies: c.req.header("cookie") ?? null,
  });

  // Requests of programs, the most frequent of all, come before the headers that only pages need.
  app.use("/rpc/*", async (c) => {
    const refusal = refuseForeign(c, services, forPrograms);
    if (refusal) return refusal;
    return await rpc(c, senderOf(c));
  });
  // The API is loaded at the first request for it: pages and browsers' calls don't need it.
  const api = memoize(async (parts: Services) => {
    const { createApiHandler } = await import("./endpoints/api/handler.ts");
    return createApiHandler(parts, forPrograms);
  });
  app.use("/api/v1/*", async (c) => (await api(services))(c, senderOf(c)));
  app.get(productStatePath(":id"), productEndpoint(services, forPrograms));
  const history = auctionHistoryEndpoint(services, forPrograms);
  app.get(historyPath(":id"), (c) => history(c, addressOf(c)));
  const log = auctionLogEndpoints(services, forPrograms);
  app.get(auctionKeysPath, log.keys);
  app.get("/auctions/checkpoint", log.checkpoint);
  app.get("/auctions/log/inclusion", log.inclusion);
  app.get("/auctions/log/consistency", log.consistency);

  const security = securityHeaders(environment.baseUrl);
  app.use(async (c, next) => {
    await next();
    if (c.get("hasAllHeaders")) return;
    for (const [name, value] of Object.entries(security))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    c.res.headers.set("x-request-id", c.get("requestId"));
  });
  app.onError((error, c) => {
    const outage = Refusal.ofOutage(error);
    if (outage !== null) {
      services.log.warn({ err: error, route: routeOf(c) }, "a request met an outage");
      const headers = { "retry-after": String(outage.data.retryAfter), "cache-control": "no-store" };
      return c.text(`${outage.message}\n${quote(c.get("requestId"))}`, 503, headers);
    }
    services.log.error({ err: error, route: routeOf(c) }, "a request failed");
    return c.text(`${messageOf.internal}\n${quote(c.get("requestId"))}`, 500);
  });

  // A mail program's own button sends this (RFC 8058), without a cookie and from anywhere. The page is for people.
  app.post("/unsubscribe", async (c) => {
    const subscription = services.unsubscribeLinks.read(c.req.query("token") ?? "");
    if (!subscription) return c.text("This link doesn't work.", 400);
    await unsubscribe(services, subscription);
    return c.text("You won't get these emails any more.");
  });

  // Only full page loads need this; the router handles the rest.
  app.get("/about", (c) => c.redirect("/about-us", 301));
  app.get("/.well-known/security.txt", (c) => c.text(securityTxt(environment, new Date())));
  // The document is public, and tools of other sites show it. They can't read the answers to calls: a key is for a
  // server.
  const documentHeaders = {
    "content-type": "application/json",
    "cache-control": "public, max-age=300",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
  };
  app.get("/api/openapi.json", etag(), async (c) => {
    const { openApiDocument } = await import("./endpoints/api/document.ts");
    const text = JSON.stringify(await openApiDocument(environment.baseUrl));
    return await send(c, { status: 200, text }, new Headers(), documentHeaders);
  });
  // A program that mistypes an address gets a problem, not a page. The one page here is for people.
  app.use("/api/*", async (c, next) =>
    /^\/api\/docs(\.data)?\/?$/.test(c.req.path) ? await next() : (await api(services))(c, senderOf(c)),
  );
  app.get("/healthz", (c) => c.text("ok"));
  // Anyone may call this, so the answer is cached for a few seconds.
  const readiness = new LRUCache<"ready", { database: boolean; storage: boolean }>({
    max: 1,
    ttl: 5000,
    async fetchMethod() {
      const [isDatabaseUp, problem] = await Promise.all([database.answers(), storage.problem()]);
      return { database: isDatabaseUp, storage: problem === null };
    },
  });
  app.get("/readyz", async (c) => {
    const ready = await readiness.forceFetch("ready");
    return c.json(ready, ready.database && ready.storage ? 200 : 503, { "cache-control": "no-store" });
  });
  app.get("/live", async (c) =>
    liveEndpoint(c, {
      ...services,
      address: addressOf(c),
      security: { ...security, "x-request-id": c.get("requestId") },
    }),
  );
  const upload = (endpoint: typeof uploadEndpoint) => async (c: Context) => {
    const refusal = refuseForeign(c, services);
    if (refusal) return refusal;
    if (!isOfType(c.req.raw, "application/octet-stream")) return c.text("Send the file as it is.", 415);
    return await endpoint(c, services, addressOf(c));
  };
  app.post("/files/documents/:kind", upload(uploadEndpoint));
  app.post("/files/students/:id/documents/:kind", upload(uploadOnBehalfEndpoint));
  app.post("/files/requests/:id", upload(requestUploadEndpoint));
  app.post("/files/offer-letters/:id", upload(letterUploadEndpoint));
  app.post("/files/messages/:studentId", upload(messageUploadEndpoint));
  app.post("/files/auction-pictures", upload(pictureUploadEndpoint));
  app.post("/files/student-imports", upload(studentImportEndpoint));
  app.post("/files/programme-imports", upload(programmeImportEndpoint()));
  app.get("/pictures/:id/:file", etag(), (c) => pictureEndpoint(c, services));
  app.get("/files/documents/:id", (c) => fileEndpoint(c, services, addressOf(c)));
  app.get("/files/offer-letters/:id", (c) => letterEndpoint(c, services, addressOf(c)));
  app.get("/files/requests/:id", (c) => requestFileEndpoint(c, services, addressOf(c)));
  app.get(endFilePath(":id"), (c) => auctionEndEndpoint(c, services));
  app.get("/calendar/:file", etag(), (c) => calendarEndpoint(c, services, addressOf(c)));
  app.get("/files/messages/:id", (c) => messageFileEndpoint(c, services, addressOf(c)));
  const studentFile = studentFileEndpoint(services);
  app.get("/files/students/:id", (c) => studentFile(c, addressOf(c)));
  app.get("/files/bulk-runs/:id", (c) => bulkRunCsvEndpoint(c, services));
  app.get("/files/reports/:report", (c) => reportCsvEndpoint(c, services, addressOf(c)));
  app.get("/files/programmes", (c) => programmeExportEndpoint(c, services, addressOf(c)));
  const studentExport = studentExportEndpoint(services);
  app.get("/files/student-exports/:id", (c) => studentExport(c, addressOf(c)));
  const ownData = ownDataEndpoint(services);
  app.get(ownDataPath, (c) => ownData(c, addressOf(c)));
  const auditFile = auditCsvEndpoint(services);
  app.get("/files/audit.csv", (c) => auditFile(c, addressOf(c)));
  return app;
}
