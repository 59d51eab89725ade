import { createServer, type ServerResponse } from "node:http";
import pg from "pg";

/**
 * Answers every request with the first page of /auctions, by one handwritten prepared statement, and does nothing else.
 * Its argument is the address of PostgreSQL as JSON. Prints the port that it listens on.
 */
const pool = new pg.Pool({ ...JSON.parse(process.argv[2] ?? "{}"), max: 16 });
const page = {
  name: "page",
  text: `
    select p.id, p.product_name as "productName", p.category, p.subcategory, p.grade, b.price, b.bid_count as "bidCount",
           b.ends_at as "endDate", picture.id as picture, picture.width, picture.height
    from auction_product p
    join auction_bidding b on b.product_id = p.id
    left join lateral (
      select id, width, height from auction_picture where product_id = p.id order by position limit 1) picture on true
    where b.open and b.ends_at > now()
    order by b.ends_at, b.product_id limit 25`,
};

async function answer(response: ServerResponse): Promise<void> {
  const { rows } = await pool.query(page);
  const body = JSON.stringify({ now: new Date(), products: rows });
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}

const server = createServer((_request, response) => void answer(response));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.stdout.write(`${address.port}\n`);
});
