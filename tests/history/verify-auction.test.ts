import { afterAll, beforeAll, expect, test } from "vitest";
import type { KeptReceipt, Receipt } from "#domain/bid-history.ts";
import { checkHistory } from "#domain/history-check.ts";
import { linesOf } from "#domain/history-lines.ts";
import { cryptoOf, keysForm, readCheckpoint, verifyAuction } from "#scripts/verify-auction.ts";
import { logHeads } from "#server/features/auctions/history/log.ts";
import { bid, bidUpTo, product } from "#tests/support/auctions.ts";
import { type Answer, textIn } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { createProduct, productForm, readyPicture } from "#tests/support/pictures.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let seller: Person;
let ada: Person;
let bea: Person;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "agent", "pending");
  ada = await person(w, "student", "active");
  bea = await person(w, "student", "active");
});
afterAll(() => w.stop());

const get = async (path: string) => await w.app.request(path);
let days = 0;
/** Returns a day after those in the log, which only ever grows. */
const nextDay = () => new Date(Date.UTC(2026, 0, ++days)).toISOString().slice(0, 10);
const receiptOf = ({ body }: Answer, limit: number | null = null): KeptReceipt => {
  const { receipt } = body as { receipt: Receipt };
  // Answers of `call` have times as texts.
  const { moved } = receipt;
  return { ...receipt, moved: moved && { ...moved, at: new Date(moved.at) }, limit };
};
/** Checks a history as its page does, which doesn't read the log. */
async function pageCheck(productId: string) {
  const { body } = await get(`/auctions/products/${productId}/history`);
  if (body === null) throw new Error("the history is empty");
  const keys = keysForm.parse(await (await get("/auctions/keys")).json());
  return await checkHistory(linesOf(body), { receipts: [] }, cryptoOf(keys));
}

/** Verifies an auction and returns the findings that don't hold. */
async function broken(...[target]: [Parameters<typeof verifyAuction>[1]]): Promise<string[]> {
  const { findings } = await verifyAuction(get, target);
  return findings.filter(({ holds }) => !holds).map(({ text }) => text);
}
const alter = (statement: string) => w.asOwner(statement);

test("before the first day of the log, a history holds without a checkpoint", async () => {
  const empty = await wayfare();
  const productId = await product(empty, await person(empty, "agent", "pending"));
  await bid((await person(empty, "student", "active")).caller, productId, 150);
  const { findings, checkpoint } = await verifyAuction(async (path) => await empty.app.request(path), {
    productId,
  });
  expect(findings).toEqual([
    { holds: true, text: "1 row holds, and this site has signed the last one." },
    { holds: true, text: "There is no checkpoint yet." },
  ]);
  expect(checkpoint).toBeNull();
  await empty.stop();
});

test("a history with its receipts holds; a row that is altered in the database is named", async () => {
  await logHeads(w.services, nextDay());
  const productId = await product(w, seller, { startingBid: 15_000 });
  const receipts = [
    receiptOf(await bidUpTo(ada.caller, productId, 500), 50_000),
    receiptOf(await bid(bea.caller, productId, 200)),
    receiptOf(await bid(bea.caller, productId, 300)),
  ];
  const { findings } = await verifyAuction(get, { productId, receipts });
  expect(findings.map(({ holds }) => holds)).not.toContain(false);
  expect(findings.map(({ text }) => text)).toEqual([
    "All 5 rows hold, none is missing, and this site has signed the last one.",
    "The receipt of row 1 is in this history, unbroken, and no automatic bid went beyond its limit.",
    "The receipt of row 2 is in this history, unbroken.",
    "The receipt of row 4 is in this history, unbroken.",
    "The log has nothing of this item yet.",
  ]);
  await alter(`update auction_bid set amount = 20050 where product_id = '${productId}' and number = 2`);
  expect(await broken({ productId })).toEqual([
    "Row 2 is wrong: its hash does not fit what it says and what stands before it.",
  ]);
  await alter(`delete from auction_bid where product_id = '${productId}' and number = 2`);
  expect(await broken({ productId })).toEqual([
    "Row 2 is wrong: a row is missing, twice, or in another place.",
  ]);
});

test("limits that their owner raised and stopped hold if the bids kept to them", async () => {
  const productId = await product(w, seller, { startingBid: 15_000 });
  const first = receiptOf(await bidUpTo(ada.caller, productId, 300), 30_000);
  const raised = receiptOf(await bidUpTo(ada.caller, productId, 500), 50_000);
  await bid(bea.caller, productId, 400);
  const stopped = receiptOf(await bidUpTo(ada.caller, productId, 401), 40_100);
  const all = [first, raised, stopped];
  expect(await broken({ productId, receipts: all })).toEqual([]);
  // Without its receipt the raise can't be recognised.
  expect(await broken({ productId, receipts: [first] })).toEqual([
    "The receipt of row 1 is in this history, unbroken, but automatic bids went beyond its limit, which is right only if it was raised after it.",
  ]);
  expect(await broken({ productId, receipts: [first, { ...raised, limit: 60_000 }] })).toEqual([
    "The receipt of the limit moved after row 1 is in this history, unbroken, but its limit is not the one that was committed to.",
  ]);
  const { moved } = stopped;
  const forged = { ...raised, moved: raised.moved && moved && { ...raised.moved, at: moved.at } };
  expect((await broken({ productId, receipts: [forged] }))[0]).toContain("was not signed by this site");
});

test("a limit that was exceeded after being stopped is found", async () => {
  const productId = await product(w, seller, { startingBid: 15_000 });
  await bidUpTo(ada.caller, productId, 500);
  const stopped = receiptOf(await bidUpTo(ada.caller, productId, 150), 15_000);
  // Makes Wayfare forget that the limit was lowered.
  await alter(`update auction_bidding set leader_limit = 50000 where product_id = '${productId}'`);
  await bid(bea.caller, productId, 200);
  expect(await broken({ productId, receipts: [stopped] })).toEqual([
    "The receipt of the limit moved after row 1 is in this history, unbroken, but automatic bids went beyond its limit, which is right only if it was raised after it.",
  ]);
});

test("each day's log has the heads that moved, extends every earlier day's log and is append-only", async () => {
  const items = await Promise.all(Array.from({ length: 7 }, () => product(w, seller)));
  const [first = "", second = ""] = items;
  await bid(ada.caller, first, 150);
  const today = nextDay();
  await logHeads(w.services, today);
  const one = (await verifyAuction(get, { productId: first })).checkpoint;
  await bid(bea.caller, first, 160);
  await bid(ada.caller, second, 150);
  // Neither a second run on a day nor heads that did not move add anything.
  await Promise.all([logHeads(w.services, today), logHeads(w.services, nextDay())]);
  await logHeads(w.services, nextDay());
  const keys = (await (await get("/auctions/keys")).json()) as { log: string[] };
  const before = readCheckpoint(one ?? "", keys.log);
  for (const productId of items) expect(await broken({ productId, earlier: one })).toEqual([]);
  const { findings, checkpoint: note } = await verifyAuction(get, { productId: second, earlier: one });
  expect(readCheckpoint(note ?? "", keys.log)?.size).toBe((before?.size ?? 0) + 2);
  expect(findings.map(({ text }) => text)).toContain(
    `The log goes on from the checkpoint of ${before?.size} entries.`,
  );
  // Not even the database's owner can change the log.
  await expect(alter("update auction_log_leaf set number = 3")).rejects.toThrow("append-only");
  await expect(alter("truncate auction_log_node")).rejects.toThrow("append-only");
  const forged = (note ?? "").replace(/\n\d+\n/, "\n99\n");
  expect(readCheckpoint(forged, keys.log)).toBe(null);
  expect(await broken({ productId: second, earlier: forged })).toEqual([
    "No present key has signed the earlier checkpoint.",
  ]);
});

test("an edit before the first bid, between two nights, is no error to the log or the page's check", async () => {
  const form = productForm({ images: [await readyPicture(seller)] });
  const productId = textIn((await createProduct(seller, form)).body, "id");
  await logHeads(w.services, nextDay());
  expect(await broken({ productId })).toEqual([]);
  const edit = { productId, startingBid: 20_000 };
  expect((await seller.caller.call("auctions.edit", edit)).status).toBe(200);
  expect(await broken({ productId })).toEqual([]);
  await logHeads(w.services, nextDay());
  expect(await broken({ productId })).toEqual([]);
  const receipts = [receiptOf(await bid(ada.caller, productId, 200))];
  for (let night = 0; night < 2; night++) {
    expect(await broken({ productId, receipts })).toEqual([]);
    expect((await pageCheck(productId)).kind).toBe("holds");
    await logHeads(w.services, nextDay());
  }
  const { findings } = await verifyAuction(get, { productId, receipts });
  expect(findings.map(({ text }) => text).join(" ")).toContain("The log has row 1");
});

test("a history that is rewritten after a day's log is found by the log, without any receipt", async () => {
  const productId = await product(w, seller);
  for (const rand of [150, 160, 170]) await bid(ada.caller, productId, rand);
  await logHeads(w.services, nextDay());
  const rewriting = async (path: string): Promise<Response> => {
    const other = await product(w, seller);
    if (!path.endsWith("/history")) return await get(path);
    for (const rand of [150, 155, 170]) await bid(ada.caller, other, rand);
    return await get(path.replace(productId, other));
  };
  const { findings } = await verifyAuction(rewriting, { productId });
  expect(findings.filter(({ holds }) => !holds)).toEqual([
    { holds: false, text: "Row 3 is wrong: the log of a day has another one." },
  ]);
});

test("a proof with a wrong hash and a truncated log are found", async () => {
  const items = await Promise.all(Array.from({ length: 5 }, () => product(w, seller)));
  for (const id of items) await bid(ada.caller, id, 150);
  await logHeads(w.services, nextDay());
  const [productId = ""] = items;
  const answering = (part: string, change: (text: string) => string) => async (path: string) => {
    const response = await get(path);
    return path.includes(part) ? new Response(change(await response.text()), response) : response;
  };
  const wrongProof = answering("/inclusion", (text) =>
    text.replace(/(?<="proof":\[")./, (digit) => (digit === "0" ? "1" : "0")),
  );
  const { findings } = await verifyAuction(wrongProof, { productId });
  expect(findings.filter(({ holds }) => !holds)).toEqual([
    { holds: false, text: "The proof that the log has this history is wrong." },
  ]);
  const earlier = await (await get("/auctions/checkpoint")).text();
  await bid(ada.caller, await product(w, seller), 150);
  await logHeads(w.services, nextDay());
  const noProof = answering("/consistency", () => "{}");
  const cut = await verifyAuction(noProof, { productId, earlier });
  expect(cut.findings.filter(({ holds }) => !holds)).toHaveLength(1);
});

test("proofs for sizes and items that the log never had are answered with 404", async () => {
  for (const query of ["from=0&to=1", "from=2&to=1", "from=1&to=99999999", "from=x&to=1", ""])
    expect((await get(`/auctions/log/consistency?${query}`)).status, query).toBe(404);
  for (const item of ["x", crypto.randomUUID()])
    expect((await get(`/auctions/log/inclusion?product=${item}`)).status).toBe(404);
});
