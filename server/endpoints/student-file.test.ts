import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { createFileLinks, studentFilePath } from "#server/features/documents/links.ts";
import { createKeys, readSecrets } from "#server/platform/keys.ts";
import { textIn } from "#tests/support/caller.ts";
import { assign, assignedStudent, giveReason, upload } from "#tests/support/documents.ts";
import { fullProfile, type Person, person, signIn } from "#tests/support/factories.ts";
import { pdf, png } from "#tests/support/files.ts";
import { unzip } from "#tests/support/unzip.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { session } from "../features/sessions/tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const link = async (who: Person, student: Person) => {
  const answer = await who.caller.call("students.fileLink", { studentId: student.id });
  return { ...answer, url: textIn(answer.body, "url") };
};
const get = (who: Pick<Person, "caller">, url: string) => who.caller.request(url, { method: "GET" });

async function fullStudent() {
  const { student, agent } = await assignedStudent(w);
  const profile = { ...fullProfile, middleName: "<b>Ngozi</b>" };
  expect((await student.caller.call("profile.save", { version: 0, profile })).status).toBe(200);
  const [transcript, passport] = [pdf(300_000), png(20, 20, 200_000)];
  await upload(student, { kind: "passport", bytes: new Uint8Array(passport) });
  await upload(student, { kind: "transcript", name: "../../a name.html", bytes: new Uint8Array(pdf()) });
  await upload(student, { kind: "transcript", bytes: new Uint8Array(transcript) });
  return { student, agent, transcript, passport };
}

test("the assigned agent saves details and documents as one zip, and each access is in the audit log", async () => {
  const { student, agent, transcript, passport } = await fullStudent();
  const response = await get(agent, (await link(agent, student)).url);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/zip",
    "content-disposition": `attachment; filename="Ada Obi.zip"; filename*=UTF-8''Ada%20Obi.zip`,
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
  });
  const zip = Buffer.from(await response.arrayBuffer());
  expect(zip.length).toBe(Number(response.headers.get("content-length")));
  const files = unzip(zip);
  expect(Object.keys(files)).toEqual(["Details.html", "Transcript.pdf", "Passport.png"]);
  expect(files["Transcript.pdf"]?.equals(transcript)).toBe(true);
  expect(files["Passport.png"]?.equals(passport)).toBe(true);
  const details = files["Details.html"]?.toString() ?? "";
  for (const text of [fullProfile.idNumber, "Nigeria", "Female", student.email, "Transcript.pdf"])
    expect(details).toContain(text);
  expect(details).toContain("&lt;b&gt;Ngozi&lt;/b&gt;");
  expect(details).not.toContain("<b>");

  const entries = await w.services.database.db
    .select({ action: audit.action, detail: audit.detail })
    .from(audit)
    .where(eq(audit.actorId, agent.id))
    .orderBy(audit.id);
  const detail = { as: "student-file", right: "agent" };
  const document = expect.any(String);
  expect(entries).toEqual([
    { action: "identity-viewed", detail },
    { action: "document-downloaded", detail: { ...detail, kind: "transcript", document } },
    { action: "document-downloaded", detail: { ...detail, kind: "passport", document } },
  ]);
});

test("an admin saves it too, even for a student who has nothing yet", async () => {
  const [boss, student] = [await person(w, "admin", "active"), await person(w, "student", "active")];
  await giveReason(boss, student.id);
  const response = await get(boss, (await link(boss, student)).url);
  expect(Object.keys(unzip(Buffer.from(await response.arrayBuffer())))).toEqual(["Details.html"]);
});

test("refuses another agent, the student, another user's link and an expired link", async () => {
  const { student, agent } = await assignedStudent(w);
  const other = await person(w, "agent", "approved");
  expect((await link(other, student)).code).toBe("not-found");
  expect((await link(student, student)).code).toBe("permission-denied");
  expect((await link(agent, other)).code).toBe("not-found");
  const { url } = await link(agent, student);
  expect((await get(other, url)).status).toBe(404);
  expect((await w.app.request(url)).status).toBe(401);
  expect((await agent.caller.request(url, { method: "HEAD" })).status).toBe(405);
  expect((await get(agent, url.replace(student.id, other.id))).status).toBe(404);
  const [own] = await w.services.database.db.select().from(session).where(eq(session.userId, agent.id));
  const expiredLinks = createFileLinks(
    createKeys(readSecrets(w.environment.sessionSecret ?? "")),
    () => Date.now() - 301_000,
  );
  const path = studentFilePath(student.id);
  const old = expiredLinks.make({ path, mode: "download", sessionId: own?.id ?? "" });
  expect((await get(agent, old.url)).status).toBe(410);
  // A session's link doesn't work in another session of the same person.
  const again = { ...agent, caller: (await person(w, "agent", "approved")).caller };
  await signIn(w, again.caller, agent.id);
  expect((await get(again, url)).status).toBe(404);

  await assign(w, student.id, other.id);
  expect((await get(agent, url)).status).toBe(404);
  // No access was recorded, but every refusal was.
  await w.services.refusals.flush();
  const entries = await w.services.database.db
    .select()
    .from(audit)
    .where(inArray(audit.actorId, [other.id, agent.id]));
  expect(entries.map(({ action }) => action)).not.toContain("identity-viewed");
  const refusedTo = ({ id }: Person) =>
    entries
      .filter(({ actorId }) => actorId === id)
      .filter(({ detail }) => textIn(detail, "procedure") === "GET /files/students")
      .map(({ detail }) => Object(detail).things)
      .join(" ");
  expect(refusedTo(other)).toContain(student.id);
  expect(refusedTo(agent)).toContain(student.id);
});

test("allows one download per account, and frees the slot of one that breaks off", async () => {
  const { student, agent } = await fullStudent();
  const { url } = await link(agent, student);
  const first = await get(agent, url);
  const reader = first.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  expect((await get(agent, url)).status).toBe(429);
  await reader?.cancel();
  const second = await until(async () => {
    const response = await get(agent, url);
    return response.status === 200 && response;
  });
  expect(unzip(Buffer.from(await second.arrayBuffer()))["Transcript.pdf"]).toHaveLength(300_000);
  expect((await get(agent, url)).status).toBe(200);
});

test("a zip that is being sent breaks off before the next file once the student stops sharing", async () => {
  const { student, agent, passport } = await fullStudent();
  await upload(student, { kind: "transcript", bytes: new Uint8Array(pdf(2_000_000)) });
  const response = await get(agent, (await link(agent, student)).url);
  const pieces: Uint8Array[] = [];
  const body = response.body?.values();
  const readOn = async () => {
    const { done, value } = (await body?.next()) ?? { done: true };
    if (value) pieces.push(value);
    return !done;
  };
  expect(await readOn()).toBe(true);
  await student.caller.api.students.setSharing({ shares: false });
  const rest = async () => {
    while (await readOn());
  };
  await expect(rest()).rejects.toMatchObject({ code: "not-found" });
  expect(Buffer.concat(pieces).includes(passport)).toBe(false);
});

test("a file that is gone from the store fails the zip, and frees the slot", async () => {
  const { student, agent } = await fullStudent();
  const { url } = await link(agent, student);
  const { disk } = w.services.storage;
  await disk.deleteAll(`documents/passport/${student.id}`);
  expect((await get(agent, url)).status).toBe(500);
  expect((await get(agent, url)).status).toBe(500);
});

test("counts an agent's zips towards the hourly limit of single details; admins are not limited", async () => {
  const { student, agent } = await assignedStudent(w);
  for (let round = 0; round < 29; round++)
    expect((await agent.caller.call("students.identity", { studentId: student.id })).status).toBe(200);
  expect((await link(agent, student)).status).toBe(200);
  const refused = await link(agent, student);
  expect(refused).toMatchObject({ code: "resource-exhausted" });
  expect(refused.message).toContain("many students' details and files within the hour");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const boss = await person(w, "admin", "active");
  await giveReason(boss, student.id);
  for (let round = 0; round < 31; round++) expect((await link(boss, student)).status).toBe(200);
});

test("an agent who is revoked while the session is still cached gets nothing", async () => {
  const { student, agent } = await assignedStudent(w);
  const { url } = await link(agent, student);
  await w.services.database.db.update(user).set({ status: "revoked" }).where(eq(user.id, agent.id));
  expect((await get(agent, url)).status).toBe(404);
});
