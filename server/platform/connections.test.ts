import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { until } from "#tests/support/wayfare.ts";
import { allowUpload, createLimitedServer, limitConnections, limitRequests } from "./connections.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function startServer(answer: RequestListener, prepare: (server: Server) => void) {
  const server = createServer(answer);
  servers.push(server);
  prepare(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return (): Socket => connect(port, "127.0.0.1").on("error", () => {});
}

const head = (path: string) => `POST ${path} HTTP/1.1\r\nhost: wayfare.example\r\ncontent-length: 4\r\n\r\n`;

test("cuts a request whose body does not arrive in time, except an allowed upload", async () => {
  const open = await startServer(
    (request, response) => {
      if (request.url === "/upload") allowUpload(request);
      request.resume().once("end", () => response.end("whole"));
    },
    (server) => limitRequests(server, 100),
  );
  const [upload, other] = [open(), open()];
  upload.write(`${head("/upload")}ab`);
  // The upload's time begins first.
  await once(upload, "connect");
  other.write(`${head("/rpc")}ab`);
  await once(other.resume(), "close");
  upload.write("cd");
  const [answer]: unknown[] = await once(upload, "data");
  expect(String(answer)).toContain("200 OK");
});

test("limits the concurrent connections of an address", async () => {
  const open = await startServer(
    (_, response) => response.end("here"),
    (server) => limitConnections(server, false, { ofAddress: 2 }),
  );
  const answers = async (socket: Socket) => {
    socket.write("GET / HTTP/1.1\r\nhost: wayfare.example\r\n\r\n");
    const [first]: unknown[] = await Promise.race([once(socket, "data"), once(socket, "close")]);
    return String(first).includes("200 OK");
  };
  const [one, two] = [open(), open()];
  expect([await answers(one), await answers(two), await answers(open())]).toEqual([true, true, false]);
  one.destroy();
  expect(await until(() => answers(open()))).toBe(true);
});

test("keeps an idle connection for longer than proxies do, and says so in responses", async () => {
  const server = createLimitedServer(() => new Response("here"), {
    trustProxy: 0,
    baseUrl: "http://localhost",
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(answer.headers.get("keep-alive")).toBe("timeout=75");
  expect(server.keepAliveTimeout).toBe(75_000);
});
