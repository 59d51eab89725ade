import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import pg from "pg";
import { bidStatement } from "./bid-statement.ts";

/**
 * Decides each bid by one prepared statement, and does nothing else: 200 if it is accepted, 422 if not. Its argument is
 * the address of PostgreSQL as JSON. Prints the port that it listens on.
 */
const pool = new pg.Pool({ ...JSON.parse(process.argv[2] ?? "{}"), max: 16 });

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { productId, amount, idempotencyKey } = Object(Object(await json(request)).json);
  const { rowCount } = await pool.query({
    ...bidStatement,
    values: [productId, amount, "bidder", idempotencyKey],
  });
  const body = JSON.stringify({ accepted: rowCount === 1 });
  response.writeHead(rowCount === 1 ? 200 : 422, { "content-length": Buffer.byteLength(body) });
  response.end(body);
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.stdout.write(`${address.port}\n`);
});
