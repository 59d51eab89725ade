import { tmpdir } from "node:os";
import pg from "pg";
import type { DatabaseAddress } from "#server/platform/database.ts";
import { goodPassword, signUpForm } from "#tests/support/factories.ts";
import { dataFolder, type Server, startServer } from "#tests/support/server-process.ts";
import { HttpConnection } from "./http-connection.ts";

/** A real server in a separate process, with access to its PostgreSQL. */
export type ServerFixture = {
  server: Server;
  address: DatabaseAddress;
  pool: pg.Pool;
  stop(): Promise<void>;
};

/** Creates a folder for data on a disk, as in production: in memory, waiting for a commit would cost nothing. */
export const folderOnDisk = () => dataFolder(tmpdir());

export async function openServerFixture(variables: Record<string, string> = {}): Promise<ServerFixture> {
  const folder = await folderOnDisk();
  // Its bidders' addresses are never verified, and they bid without end.
  const unlimited = { UNVERIFIED_BID_LIMIT: "100000000" };
  const server = await startServer({
    DATA_DIR: folder.path,
    LOG_LEVEL: "warn",
    ...unlimited,
    ...variables,
  });
  const address = { host: `${folder.path}/socket`, port: 5432, user: "wayfare", database: "postgres" };
  const pool = new pg.Pool({ ...address, max: 2 });
  return {
    server,
    address,
    pool,
    async stop() {
      await pool.end();
      await server.stop();
      await folder.remove();
    },
  };
}

/** A logged-in user with a separate connection. */
export type Browser = { connection: HttpConnection; cookie: string };

export async function openBrowser({ url }: Server): Promise<Browser> {
  const form = signUpForm();
  const post = (procedure: string, input: object) =>
    fetch(`${url}/rpc/${procedure}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": "orpc" },
      body: JSON.stringify({ json: input }),
    });
  await post("account/signUp", form);
  const response = await post("account/signIn", { email: form.email, password: goodPassword });
  const cookies = response.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
  return { connection: await HttpConnection.open(url), cookie: cookies.join("; ") };
}

export const startingBid = 100;
const addProducts = `
  with added as (
    insert into auction_product (id, product_name, description, starting_bid, category, subcategory, grade, end_date)
    select gen_random_uuid(), 'Product ' || n, 'As described', ${startingBid}, 'home', 'Decor', 'New', now() + $2::interval
    from generate_series(1, $1::int) n returning *)
  insert into auction_bidding (product_id, ends_at, price, category, subcategory, grade, head)
  select id, end_date, starting_bid, category, subcategory, grade, sha256(id::text::bytea) from added
  returning product_id`;

/** Inserts products with a chained history and without bids; returns their ids. */
export async function newProducts(pool: pg.Pool, number: number, endIn = "1 day"): Promise<string[]> {
  const { rows } = await pool.query<{ product_id: string }>(addProducts, [number, endIn]);
  return rows.map((row) => row.product_id);
}
