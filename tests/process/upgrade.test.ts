import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { account } from "#server/features/account/tables.ts";
import { auctionBid } from "#server/features/auctions/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { mine } from "#tests/support/applications.ts";
import { bid, storedProduct } from "#tests/support/auctions.ts";
import { emptyPlace, type Installation, problemsOf, restore } from "#tests/support/backups.ts";
import { Caller } from "#tests/support/caller.ts";
import { documentsOf } from "#tests/support/documents.ts";
import { fullProfile } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { filesOfPicture } from "#tests/support/pictures.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

/**
 * A backup by version 444c796 of a student with an agent, two bidders and a person who has just signed up. The JSON
 * file beside it has their browsers' cookies and the agent's API key. Everyone has the same password.
 */
const backup = fileURLToPath(new URL("former-version.tar.zst", import.meta.url));
const visitor = z.object({ id: z.string(), email: z.string(), cookies: z.record(z.string(), z.string()) });
const formerVersion = z.object({
  password: z.string(),
  student: visitor,
  agent: visitor.omit({ cookies: true }),
  bidders: z.tuple([visitor, visitor]),
  signedUp: z.string(),
  key: z.object({ key: z.string() }),
  item: z.string(),
  picture: z.string(),
});
type Visitor = z.infer<typeof visitor>;

let former: z.infer<typeof formerVersion>;
let place: Installation;
let w: Wayfare;
beforeAll(async () => {
  const text = await readFile(new URL("former-version.json", import.meta.url), "utf8");
  former = formerVersion.parse(JSON.parse(text));
  place = await emptyPlace();
  await restore(backup, place);
  const { dataDir, storageUrl } = place.environment;
  const variables = { DATA_DIR: dataDir, ...(storageUrl !== null && { STORAGE_URL: storageUrl }) };
  w = await wayfare({ on: place.access.application, variables });
  // The sessions are as young as on the day of the upgrade.
  const now = Date.now();
  const young = { createdAt: new Date(now), expiresAt: new Date(now + 86_400_000) };
  await w.services.database.db.update(session).set(young);
});
afterAll(async () => {
  await w.stop();
  await place.remove();
});

/** Returns the browser that this visitor had before the upgrade. */
function browserOf({ cookies }: Visitor): Caller {
  const browser = new Caller(w.app);
  for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value);
  return browser;
}

test("the check of rows and files finds no error after an upgrade", async () => {
  expect(await problemsOf(place.access.owner, place.storage)).toEqual([]);
});

test("everyone logs in with their old password, which is rehashed", async () => {
  const hashOf = async (userId: string) => {
    const [row] = await w.services.database.db.select().from(account).where(eq(account.userId, userId));
    return row?.password ?? "";
  };
  expect(await hashOf(former.student.id)).toMatch(/^scrypt\$/);
  const { password, student, agent, bidders, signedUp } = former;
  for (const email of [student, agent, ...bidders].map((each) => each.email).concat(signedUp)) {
    expect((await new Caller(w.app).call("account.signIn", { email, password: "not this one" })).code).toBe(
      "auth/invalid-credential",
    );
    expect((await new Caller(w.app).call("account.signIn", { email, password })).status).toBe(200);
  }
  expect(await hashOf(former.student.id)).not.toMatch(/^scrypt\$/);
});

test("browsers stay logged in, and see the profile, the application and the document", async () => {
  const browser = browserOf(former.student);
  expect((await browser.call("account.me")).body).toMatchObject({ viewer: { email: former.student.email } });
  expect((await browser.call("profile.mine")).body).toMatchObject({ profile: fullProfile });
  expect(await mine({ id: former.student.id, email: former.student.email, caller: browser })).toMatchObject([
    { program: "MSc Data Science", state: "submitted" },
  ]);
  const [document] = await documentsOf(w, former.student.id);
  const bytes = await w.services.storage.disk.getBytes(document?.storageKey ?? "");
  expect(Buffer.from(bytes).equals(pdf(2_000))).toBe(true);
});

test("an API key may read the same as before", async () => {
  const path = `/api/v1/students/${former.student.id}/applications`;
  const authorization = `Bearer ${former.key.key}`;
  expect((await w.app.request(path, { headers: { authorization } })).status).toBe(403);
  const students = await w.app.request("/api/v1/students", { headers: { authorization } });
  expect(students.status).toBe(200);
  expect(await students.text()).toContain(former.student.id);
});

test("bids are kept, the next one must be higher, and pictures are served", async () => {
  const [first, second] = former.bidders;
  expect(await storedProduct(w, former.item)).toMatchObject({ price: 500_000, bidCount: 3, state: "open" });
  const rows = await w.services.database.db
    .select()
    .from(auctionBid)
    .where(eq(auctionBid.productId, former.item));
  expect(rows.map(({ bidderId, amount }) => [bidderId, amount])).toEqual([
    [first.id, 20_000],
    [second.id, 30_000],
    [first.id, 500_000],
  ]);
  expect((await bid(browserOf(second), former.item, 5_000)).code).toBe("out-of-range");
  expect((await bid(browserOf(second), former.item, 5_001)).status).toBe(200);
  for (const { response, bytes } of await filesOfPicture(browserOf(first), former.picture)) {
    expect(response.status).toBe(200);
    expect(bytes.length).toBeGreaterThan(0);
  }
});
