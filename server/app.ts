import { getConnInfo } from "@hono/node-server/conninfo";
import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { clientAddress } from "#server/platform/client-address.ts";
import { isForeign } from "#server/platform/foreign-request.ts";
import { createRpcHandler } from "#server/rpc.ts";
import type { Services } from "#server/services.ts";
import { fileEndpoint, uploadEndpoint } from "./document-endpoints.ts";
import { liveEndpoint } from "./live-endpoint.ts";

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

  app.use(
    secureHeaders({
      strictTransportSecurity:
        environment.baseUrl.startsWith("https:") && "max-age=31536000; includeSubDomains",
      xFrameOptions: "DENY",
      referrerPolicy: "strict-origin-when-cross-origin",
      permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [] },
    }),
  );
  app.onError((error, c) => {
    services.log.error({ err: error, path: c.req.path }, "a request failed");
    return c.text("Something went wrong on our side. Please try again.", 500);
  });

  app.get("/healthz", (c) => c.text("ok"));
  app.get("/readyz", async (c) => {
    const [db, files] = await Promise.all([database.answers(), storage.answers()]);
    return c.json({ database: db, storage: files }, db && files ? 200 : 503, { "cache-control": "no-store" });
  });
  const addressOf = (c: Context) =>
    clientAddress(socketAddress(c), c.req.header("x-forwarded-for"), environment.trustProxy);

  app.get("/live", (c) => liveEndpoint(c, services));

  app.use("/rpc/*", async (c) => {
    if (isForeign(c.req.raw, environment.baseUrl))
      return c.text("This request comes from another site.", 403);
    const session = await sessions.check(c.req.header("cookie") ?? null);
    return await rpc(c.req.raw, { services, address: addressOf(c), session });
  });

  app.post("/files/documents/:kind", async (c) => {
    if (isForeign(c.req.raw, environment.baseUrl, "application/octet-stream"))
      return c.text("This request comes from another site.", 403);
    return await uploadEndpoint(c, services, addressOf(c));
  });
  app.get("/files/documents/:id", (c) => fileEndpoint(c, services, addressOf(c)));
  return app;
}
