import { getConnInfo } from "@hono/node-server/conninfo";
import { type Context, Hono } from "hono";
import { etag } from "hono/etag";
import { requestId } from "hono/request-id";
import { clientAddress } from "#server/platform/client-address.ts";
import { isForeign, isOfType } from "#server/platform/foreign-request.ts";
import { headersForPrograms, headersOf, securityHeaders } from "#server/platform/security-headers.ts";
import { createSingleFlightCache } from "#server/platform/single-flight-cache.ts";
import type { Services } from "#server/services.ts";
import { auditCsvEndpoint } from "./endpoints/audit-csv.ts";
import { fileEndpoint, uploadEndpoint } from "./endpoints/documents.ts";
import { liveEndpoint } from "./endpoints/live.ts";
import { pictureEndpoint, pictureUploadEndpoint } from "./endpoints/pictures.ts";
import { productEndpoint } from "./endpoints/product.ts";
import { createRpcHandler } from "./endpoints/rpc.ts";
import { studentFileEndpoint } from "./endpoints/student-file.ts";
import { unsubscribe } from "./features/notifications/commands.ts";

function socketAddress(c: Context): string | undefined {
  // A test calls the app as a function, without a socket.
  return c.env?.incoming ? getConnInfo(c).remote.address : undefined;
}

/** Whom to write to about a vulnerability, as RFC 9116 has it; it must say until when that is right, at most a year. */
const securityTxt = ({ contactEmail, baseUrl }: Services["environment"], now: Date): string =>
  [
    `Contact: mailto:${contactEmail}`,
    `Expires: ${now.getUTCFullYear() + 1}-01-01T00:00:00Z`,
    "Preferred-Languages: en",
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    "",
  ].join("\n");

/** The server as a function of a request: health, /rpc, files, event streams at /live. Pages are added by main. */
export function createApp(services: Services): Hono {
  const { environment, sessions, database, storage } = services;
  const forPrograms = headersForPrograms(environment.baseUrl);
  const rpc = createRpcHandler(services, forPrograms);
  // With or without a slash at the end, an address is the same.
  const app = new Hono({ strict: false });
  // A proxy of ours may have given it one already; anybody else's would be words of their own in the log.
  app.use(requestId(environment.trustProxy > 0 ? {} : { headerName: "" }));
  app.use(services.requestTimes.measure);

  const addressOf = (c: Context) =>
    clientAddress(socketAddress(c), c.req.header("x-forwarded-for"), environment.trustProxy);

  function refuseForeign(c: Context) {
    services.refusals.warn("a request from another site was refused");
    return c.text("This request comes from another site.", 403, forPrograms);
  }

  // What programs ask for, most often of all, comes before the headers that only pages need.
  app.use("/rpc/*", async (c) => {
    if (isForeign(c.req.raw, environment.baseUrl)) return refuseForeign(c);
    const cookies = c.req.header("cookie") ?? null;
    const session = await sessions.check(cookies);
    return await rpc(c, { services, requestId: c.get("requestId"), address: addressOf(c), cookies, session });
  });
  app.get("/auctions/products/:id", productEndpoint(services, forPrograms));

  const secured = securityHeaders(environment.baseUrl);
  const security = headersOf(secured);
  app.use(secured, async (c, next) => {
    await next();
    c.res.headers.set("x-request-id", c.get("requestId"));
  });
  app.onError((error, c) => {
    services.log.error({ err: error, path: c.req.path, requestId: c.get("requestId") }, "a request failed");
    return c.text("Something went wrong on our side. Please try again.", 500);
  });

  // Sent by a mail program's own button (RFC 8058): without a cookie, and from anywhere. The page is for people.
  app.post("/unsubscribe", async (c) => {
    const subscription = services.unsubscribeLinks.read(c.req.query("token") ?? "");
    if (!subscription) return c.text("This link doesn't work.", 400);
    await unsubscribe(services, subscription);
    return c.text("You won't get these emails any more.");
  });

  // For who comes from elsewhere; within the application the page itself moves on.
  app.get("/about", (c) => c.redirect("/about-us", 301));
  app.get("/.well-known/security.txt", (c) => c.text(securityTxt(environment, new Date())));
  app.get("/healthz", (c) => c.text("ok"));
  // Asked for by whom it may be: a file of the store is written for all who ask within these seconds.
  const lately = createSingleFlightCache<{ database: boolean; storage: boolean }>(5000, 1);
  app.get("/readyz", async (c) => {
    const ready = await lately.get("ready", async () => {
      const [ofDatabase, ofStorage] = await Promise.all([database.answers(), storage.answers()]);
      return { database: ofDatabase, storage: ofStorage };
    });
    return c.json(ready, ready.database && ready.storage ? 200 : 503, { "cache-control": "no-store" });
  });
  app.get("/live", async (c) =>
    liveEndpoint(c, {
      ...services,
      address: addressOf(c),
      security: { ...(await security), "x-request-id": c.get("requestId") },
    }),
  );
  app.post("/files/documents/:kind", async (c) => {
    if (isForeign(c.req.raw, environment.baseUrl)) return refuseForeign(c);
    if (!isOfType(c.req.raw, "application/octet-stream")) return c.text("Send the file as it is.", 415);
    return await uploadEndpoint(c, services, addressOf(c));
  });
  app.post("/files/auction-pictures", async (c) => {
    if (isForeign(c.req.raw, environment.baseUrl)) return refuseForeign(c);
    if (!isOfType(c.req.raw, "application/octet-stream")) return c.text("Send the file as it is.", 415);
    return await pictureUploadEndpoint(c, services);
  });
  app.get("/pictures/:id/:file", etag(), (c) => pictureEndpoint(c, services));
  app.get("/files/documents/:id", (c) => fileEndpoint(c, services, addressOf(c)));
  const studentFile = studentFileEndpoint(services);
  app.get("/files/students/:id", (c) => studentFile(c, addressOf(c)));
  const auditFile = auditCsvEndpoint(services);
  app.get("/files/audit.csv", async (c) => {
    if (isForeign(c.req.raw, environment.baseUrl)) return refuseForeign(c);
    return await auditFile(c, addressOf(c));
  });
  return app;
}
