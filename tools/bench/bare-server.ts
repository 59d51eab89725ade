import { createServer } from "node:http";

/** Answers every request with the text of its first argument, and does nothing else. Prints the port it listens on. */
const body = Buffer.from(process.argv[2] ?? "");
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.stdout.write(`${address.port}\n`);
});
