import { desc, eq } from "drizzle-orm";
import pg from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { audit } from "#server/features/audit/tables.ts";
import { createFileLinks, ownDataPath } from "#server/features/documents/links.ts";
import { createKeys, readSecrets } from "#server/platform/keys.ts";
import { submit } from "#tests/support/applications.ts";
import { bid, product } from "#tests/support/auctions.ts";
import { AuthenticatorDevice } from "#tests/support/authenticator-device.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { assignedStudent, filesOf, upload } from "#tests/support/documents.ts";
import { busyStudent } from "#tests/support/erasure.ts";
import { fullProfile, type Person, person, signIn } from "#tests/support/factories.ts";
import { pdf, png } from "#tests/support/files.ts";
import { addPasskey } from "#tests/support/passkeys.ts";
import { createProduct, productForm, readyPicture } from "#tests/support/pictures.ts";
import { unzip } from "#tests/support/unzip.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { webhook, webhookDelivery } from "../features/notifications/tables.ts";
import { session } from "../features/sessions/tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const linkOf = async (who: Pick<Person, "caller">) => {
  const answer = await who.caller.call("account.dataLink");
  return { ...answer, url: textIn(answer.body, "url") };
};
const get = (who: Pick<Person, "caller">, url: string) => who.caller.request(url, { method: "GET" });
async function download(who: Pick<Person, "caller">) {
  const response = await get(who, (await linkOf(who)).url);
  expect(response.status).toBe(200);
  const zip = Buffer.from(await response.arrayBuffer());
  expect(zip.length).toBe(Number(response.headers.get("content-length")));
  const files = unzip(zip);
  const data: Record<string, Record<string, unknown>[]> = JSON.parse(files["data.json"]?.toString() ?? "");
  return { response, files, data, readme: files["README.txt"]?.toString() ?? "" };
}

test("a student gets everything about them, files and earlier versions included, and what is left out and why", async () => {
  const { student, agent } = await assignedStudent(w);
  const profile = { ...fullProfile, middleName: 'Ngozi "Zoë"' };
  expect((await student.caller.call("profile.save", { version: 0, profile })).status).toBe(200);
  const [first, second, passport] = [pdf(1000), pdf(300_000), png(20, 20, 200_000)];
  for (const bytes of [first, second])
    expect((await upload(student, { kind: "transcript", bytes: new Uint8Array(bytes) })).status).toBe(200);
  await upload(student, { kind: "passport", bytes: new Uint8Array(passport) });
  expect((await submit(student)).status).toBe(200);
  const course = { university: "Lund", course: "Physics", url: "https://example.org/physics" };
  expect((await student.caller.call("shortlist.add", course)).status).toBe(200);
  const item = await product(w, agent);
  expect((await bid(student.caller, item, 5000)).status).toBe(200);
  const lamp = productForm({
    productName: "A lamp",
    description: "Bright",
    images: [await readyPicture(student)],
  });
  expect((await createProduct(student, lamp)).status).toBe(200);

  const { response, files, data, readme } = await download(student);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/zip",
    "content-disposition": expect.stringContaining('attachment; filename="Wayfare - my data.zip"'),
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
  });
  expect(files["documents/Transcript.pdf"]?.equals(second)).toBe(true);
  expect(files["documents/Passport.png"]?.equals(passport)).toBe(true);
  const earlier = Object.keys(files).filter((name) => /^documents\/earlier\/.* Transcript\.pdf$/.test(name));
  expect(earlier.map((name) => files[name]?.equals(first))).toEqual([true]);
  const picture = Object.keys(files).find((name) =>
    /^items\/A lamp [\da-f]{8}\/1 [\da-f]{8}\.jpg$/.test(name),
  );
  expect((await sharp(files[picture ?? ""]).metadata()).format).toBe("jpeg");

  const { firstName: _, lastName: __, phoneNumber: ___, country: ____, ...own } = profile;
  expect(data["account"]).toMatchObject([
    { email: student.email, firstName: "Ada", phone: profile.phoneNumber },
  ]);
  expect(data["profile"]).toMatchObject([own]);
  expect(data["applications"]).toMatchObject([
    { state: "submitted", steps: [{ by: "you", to: "submitted" }] },
  ]);
  expect(data["shortlist"]).toMatchObject([{ ...course, addedByYou: true }]);
  expect(data["documents"]).toHaveLength(3);
  expect(data["items"]).toMatchObject([{ name: "A lamp", description: "Bright" }]);
  expect(data["bids"]).toMatchObject([{ amountInCents: 500_000 }]);
  expect(data["auditLog"]?.at(-1)).toMatchObject({ action: "data-downloaded", by: "you", about: "you" });
  // Contains neither secrets nor other people's data; the agent is named, as on the dashboard.
  const text = JSON.stringify(data);
  expect(text).not.toContain("argon2id");
  expect(text).not.toContain(agent.id);
  expect(text).not.toContain(agent.email);
  expect(readme).toContain("- Your password: we store only a hash of it.\r\n");
  for (const [subject, rows] of Object.entries(data))
    expect(readme).toContain(`  ${subject}: ${rows.length}\r\n`);

  const [entry] = await w.services.database.db
    .select()
    .from(audit)
    .where(eq(audit.subjectId, student.id))
    .orderBy(desc(audit.id))
    .limit(1);
  expect(entry).toMatchObject({ action: "data-downloaded", actorId: student.id, address: "203.0.113.7" });
});

test("contains nothing of other people", async () => {
  const { student, agent } = await busyStudent(w);
  const { db } = w.services.database;
  await addPasskey(agent.caller, new AuthenticatorDevice(w.environment.baseUrl));
  await agent.caller.call("apiKeys.create", { name: "CRM", scopes: ["students:read"], days: 30 });
  const row = { userId: agent.id, url: "https://example.org/", events: ["student.assigned"] };
  const [hook] = await db.insert(webhook).values(row).returning({ webhookId: webhook.id });
  if (hook) await db.insert(webhookDelivery).values({ ...hook, type: "student.assigned", ids: {} });
  const { data: agents } = await download(agent);
  for (const subject of ["passkeys", "apiKeys", "webhooks", "webhookDeliveries"])
    expect([subject, agents[subject]?.length]).toEqual([subject, 1]);
  // An agent's notifications name students, who are other people.
  const notified = agents["notifications"] ?? [];
  expect(notified.length).toBeGreaterThan(0);
  expect(JSON.stringify(notified)).not.toMatch(/Ada|MSc|Nursing|student"/);
  const { data } = await download(await person(w, "student", "active"));
  const filled = Object.entries(data).filter(([, rows]) => rows.length > 0);
  expect(filled.map(([subject, rows]) => [subject, rows.length])).toEqual([
    ["account", 1],
    ["auditLog", 1],
    ["devices", 1],
  ]);
  // Entries that others caused don't show the network addresses of these others.
  await agent.caller.call("students.identity", { studentId: student.id });
  const { data: own } = await download(student);
  const others = own["auditLog"]?.filter(({ by }) => by === "somebody else") ?? [];
  expect(others.length).toBeGreaterThan(0);
  expect(others.filter(({ networkAddress }) => networkAddress !== null)).toEqual([]);
});

test("contains all of a history that is longer than one fetch", async () => {
  const student = await person(w, "student", "active");
  await w.asOwner(`insert into audit (action, actor_id, subject_id, detail)
    select 'identity-viewed', '${student.id}', '${student.id}', '{}' from generate_series(1, 1234)`);
  const { data } = await download(student);
  expect(data["auditLog"]).toHaveLength(1235);
});

test.each([
  ["agent", "approved"],
  ["agent", "pending"],
  ["admin", "active"],
] as const)("an account that is %s, %s, gets its own data too", async (role, status) => {
  const who = await person(w, role, status);
  expect((await download(who)).data["account"]).toMatchObject([{ email: who.email, role }]);
});

test("a file that the store has lost is named, and the rest is sent", async () => {
  const student = await person(w, "student", "active");
  await upload(student);
  const [lost = ""] = await filesOf(w, student.id);
  await w.services.storage.disk.delete(lost);
  const { readme, files } = await download(student);
  expect(readme).toContain("  documents/CV.pdf\r\n");
  expect(Object.keys(files)).toEqual(["README.txt", "data.json"]);
});

test("a link works only in its own session, and for five minutes", async () => {
  const [student, other] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const { url } = await linkOf(student);
  expect((await get(other, url)).status).toBe(404);
  expect((await get(student, url.replace(/signature=.*/, "signature=x"))).status).toBe(404);
  const [own] = await w.services.database.db.select().from(session).where(eq(session.userId, student.id));
  const old = createFileLinks(
    createKeys(readSecrets(w.environment.sessionSecret ?? "")),
    () => Date.now() - 301_000,
  );
  const expired = old.make({ path: ownDataPath, mode: "download", sessionId: own?.id ?? "" });
  expect((await get(student, expired.url)).status).toBe(410);
  student.caller.cookies.clear();
  expect((await get(student, url)).status).toBe(401);
  await signIn(w, student.caller, student.id);
  expect((await get(student, url)).status).toBe(404);
});

test("an account that lacks a required second factor downloads nothing, not even by an earlier link", async () => {
  const agent = await person(w, "agent", "approved");
  const { url } = await linkOf(agent);
  const strict = await wayfare({ variables: { SECOND_FACTOR_REQUIRED: "agents" }, on: w.address });
  const caller = new Caller(strict.app);
  for (const [name, value] of agent.caller.cookies) caller.cookies.set(name, value);
  expect((await get({ caller }, url)).status).toBe(401);
  await strict.stop();
});

test("allows one download at a time, and five a day", async () => {
  const student = await person(w, "student", "active");
  await upload(student, { bytes: new Uint8Array(pdf(5_000_000)) });
  const { url } = await linkOf(student);
  const running = await get(student, url);
  expect(running.status).toBe(200);
  expect((await get(student, url)).status).toBe(429);
  await running.body?.cancel();
  // The files that were written to disk for it are gone, and there is room for the next download.
  await until(async () => (await filesOf(w, student.id)).every((name) => !name.startsWith("incoming/")));
  for (let at = 0; at < 4; at++)
    await until(async () => {
      const response = await get(student, url);
      await response.arrayBuffer();
      return response.status === 200;
    });
  expect((await get(student, url)).status).toBe(429);
  const refused = await linkOf(student);
  expect(refused.code).toBe("resource-exhausted");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("nine accounts of one address that read nothing delay no other address's download", async () => {
  const open: Response[] = [];
  for (let at = 0; at < 9; at++) {
    const hostile = await person(w, "student", "active", new Caller(w.app, "192.0.2.1"));
    await upload(hostile, { bytes: new Uint8Array(pdf(1_000_000)) });
    const { url } = await linkOf(hostile);
    open.push(await get(hostile, url));
  }
  const honest = await person(w, "student", "active", new Caller(w.app, "192.0.2.2"));
  const { url } = await linkOf(honest);
  open.push(await get(honest, url));
  expect(open.map(({ status }) => status)).toEqual(Array(10).fill(200));
  for (const { body } of open) await body?.cancel();
});

test("reads all rows about a person by one cursor, however many subjects there are", async () => {
  const student = await person(w, "student", "active");
  const { url } = await linkOf(student);
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    const response = await get(student, url);
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    const texts = query.mock.calls.map(([statement]) => JSON.stringify(statement));
    // One declares the cursor, the other reads the rows of this young account.
    expect(texts.filter((text) => text.includes("own_rows"))).toHaveLength(2);
  } finally {
    query.mockRestore();
  }
});
