import { once } from "node:events";
import { createServer } from "node:http";

/** A collector in a separate process that accepts and drops every trace; it reports its port and number of requests. */
export type Order = { ask: "port" | "received" };

let received = 0;
const server = createServer((request, response) => {
  received++;
  request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
}).listen(0, "127.0.0.1");
await once(server, "listening");
process.on("message", (order: Order) => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  process.send?.(order.ask === "port" ? port : received);
});
