import { getConnInfo } from "@hono/node-server/conninfo";
import { type Context, Hono } from "hono";
import { clientAddress } from "#server/platform/client-address.ts";
import { isForeign } from "#server/platform/foreign-request.ts";
import { headersOf, securityHeaders } from "#server/platform/security-headers.ts";
import type { Services } from "#server/services.ts";
import { fileEndpoint, uploadEndpoint } from "./endpoints/documents.ts";
import { liveEndpoint } from "./endpoints/live.ts";
import { pictureEndpoint, pictureUploadEndpoint } from "./endpoints/pictures.ts";
import { productEndpoint } from "./endpoints/product.ts";
import { createRpcHandler } from "./endpoints/rpc.ts";

function socketAddress(c: Context): string | undefined {
  // A test calls the app as a function, without a socket.
  return c.env?.incoming ? getConnInfo(c).remote.address : undefined;
}

/** The server as a function of a request: health, the contract at /rpc, files, event streams at /live. Pages are added by main. */
export function createApp(services: Services): Hono {
  const { environment, sessions, database, storage } = services;
  const rpc = createRpcHandler(services.log);
  // With or without a slash at the end, an address is the same.
  const app = new Hono({ strict: false });

  const addressOf = (c: Context) =>
    clientAddress(socketAddress(c), c.req.header("x-forwarded-for"), environment.trustProxy);

  // What programs ask for, most often of all, comes before the headers that only pages need.
  app.use("/rpc/*", async (c) => {
    if (isForeign(c.req.raw, environment.baseUrl))
      return c.text("This request comes from another site.", 403);
    const session = await sessions.check(c.req.header("cookie") ?? null);
    return await rpc(c, { services, address: addressOf(c), session });
  });
  app.get("/auctions/products/:id", (c) => productEndpoint(c, services));

  const secured = securityHeaders(environment.baseUrl);
  const security = headersOf(secured);
  app.use(secured);
  app.onError((error, c) => {
    services.log.error({ err: error, path: c.req.path }, "a request failed");
    return c.text("Something went wrong on our side. Please try again.", 500);
  });

  // For who comes from elsewhere; within the application the page itself moves on.
  app.get("/about", (c) => c.redirect("/about-us", 301));
  app.get("/healthz", (c) => c.text("ok"));
  app.get("/readyz", async (c) => {
    const [db, files] = await Promise.all([database.answers(), storage.answers()]);
    return c.json({ database: db, storage: files }, db && files ? 200 : 503, { "cache-control": "no-store" });
  });
  app.get("/live", async (c) =>
    liveEndpoint(c, { ...services, address: addressOf(c), security: await security }),
  );
  app.post("/files/documents/:kind", async (c) => {
    if (isForeign(c.req.raw, environment.baseUrl, "application/octet-stream"))
      return c.text("This request comes from another site.", 403);
    return await uploadEndpoint(c, services, addressOf(c));
  });
  app.post("/files/auction-pictures", async (c) => {
    if (isForeign(c.req.raw, environment.baseUrl, "application/octet-stream"))
      return c.text("This request comes from another site.", 403);
    return await pictureUploadEndpoint(c, services);
  });
  app.get("/pictures/:id/:file", (c) => pictureEndpoint(c, services));
  app.get("/files/documents/:id", (c) => fileEndpoint(c, services, addressOf(c)));
  return app;
}
