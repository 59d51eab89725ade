import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { serve } from "@hono/node-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { logHeads } from "#server/features/auctions/history/log.ts";
import { bid, bidUpTo, product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { freePort } from "#tests/support/server-process.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

const run = promisify(execFile);

/** Serves requests on a local port. */
async function listen(fetch: Parameters<typeof serve>[0]["fetch"]) {
  const server = serve({ fetch, port: 0, hostname: "127.0.0.1" });
  if (!server.listening) await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("there is no port");
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

/** Runs the command as an operator does. */
const verify = (...words: string[]) =>
  run(process.execPath, ["scripts/verify.ts", ...words]).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout, errors: stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout, errors: stderr }),
  );

let w: Wayfare;
let server: Awaited<ReturnType<typeof listen>>;
let folder: string;
let [seller, ada, bea]: [Person, Person, Person] = [] as never;
beforeAll(async () => {
  w = await wayfare();
  server = await listen(w.app.fetch);
  folder = await mkdtemp(join(tmpdir(), "wayfare-verify-"));
  const student = () => person(w, "student", "active");
  [seller, ada, bea] = [await student(), await student(), await student()];
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
  await w.stop();
});

/** Puts an item on sale and bids on it; returns its page's address and a file with the receipt of the first bid. */
async function item() {
  const id = await product(w, seller);
  const { body } = await bidUpTo(ada.caller, id, 500);
  await bid(bea.caller, id, 200);
  const receipts = join(folder, `${id}.json`);
  await writeFile(receipts, JSON.stringify({ receipts: [{ ...Object(body).receipt, limit: 50_000 }] }));
  return { id, page: `${server.url}/product/${id}`, receipts };
}

const whole = "holds   All 3 rows hold, none is missing, and this site has signed the last one.\n";
const receipt =
  "holds   The receipt of row 1 is in this history, unbroken, and no automatic bid went beyond its limit.\n";

test("a history that holds is reported to hold, with its receipt and the log", async () => {
  const { page, receipts } = await item();
  const checkpoint = join(folder, "checkpoint");
  const check = () => verify(page, "--receipt", receipts, "--checkpoint", checkpoint);
  expect(await check()).toEqual({
    code: 0,
    output: `${whole}${receipt}holds   There is no checkpoint yet.\n`,
    errors: "",
  });
  await logHeads(w.services, "2026-01-01");
  const logged = /^holds {3}The log has row 3, at place \d+\.$/m;
  const first = await check();
  expect(first).toMatchObject({ code: 0, errors: "" });
  expect(first.output).toMatch(logged);
  const second = await check();
  expect(second).toMatchObject({ code: 0, errors: "" });
  expect(second.output).toMatch(/^holds {3}The log goes on from the checkpoint of \d+ entries\.$/m);
  expect(second.output).toMatch(logged);
});

test("an altered row is named", async () => {
  const { id, page } = await item();
  await w.asOwner(`update auction_bid set amount = 20050 where product_id = '${id}' and number = 2`);
  const { code, output } = await verify(page);
  expect(code).toBe(1);
  expect(output).toMatch(
    /^BROKEN {2}Row 2 is wrong: its hash does not fit what it says and what stands before it\.$/m,
  );
});

test("an item that doesn't exist is reported as missing", async () => {
  const { code, output } = await verify(`${server.url}/product/${crypto.randomUUID()}`);
  expect(code).toBe(1);
  expect(output).toMatch(/^BROKEN {2}There is no such item\.$/m);
});

const usage = "npm run verify -- https://HOST/product/ID [--receipt FILE] [--checkpoint FILE]\n";

test.each([
  ["a call without arguments", []],
  ["no address", ["localhost"]],
  ["the address of no item", ["https://wayfare.example/auctions"]],
  ["an unknown option", ["--recipe", "receipts.json"]],
])("%s is answered with the usage", async (_, words) => {
  expect(await verify(...words)).toEqual({ code: 2, output: "", errors: usage });
});

test("an address or a file that can't be checked is reported in a sentence", async () => {
  const path = `/product/${crypto.randomUUID()}`;
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const shop = await listen(() => new Response("<h1>Welcome to our shop</h1>"));
  const crowd = await listen(() => new Response("", { status: 503 }));
  const missing = join(folder, "missing.json");
  const empty = join(folder, "empty.json");
  await writeFile(empty, "{}");
  const errors = [
    await verify(nowhere + path),
    await verify(shop.url + path),
    await verify(crowd.url + path),
    await verify(server.url + path, "--receipt", missing),
    await verify(server.url + path, "--receipt", empty),
  ];
  shop.close();
  crowd.close();
  expect(errors).toEqual(
    [
      `${nowhere} can't be reached.\n`,
      `${shop.url} does not answer as Wayfare does, or not to the end.\n`,
      `${crowd.url} can't answer at the moment (503). Please try again later.\n`,
      `${missing} can't be read.\n`,
      `${empty} has no receipt.\n`,
    ].map((words) => ({ code: 2, output: "", errors: words })),
  );
});
