import { once } from "node:events";
import { createServer } from "node:http";

/** A collector in a process of its own that takes every trace and keeps none. Answers with its port, then with how many came. */
let received = 0;
const server = createServer((request, response) => {
  received++;
  request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
}).listen(0, "127.0.0.1");
await once(server, "listening");
process.on("message", (order: { ask: "port" | "received" }) => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  process.send?.(order.ask === "port" ? port : received);
});
