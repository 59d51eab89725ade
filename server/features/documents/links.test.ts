import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { session } from "#server/features/sessions/tables.ts";
import { createKeys, readSecrets } from "#server/platform/keys.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import {
  assign,
  assignedStudent,
  documentsOf,
  filesOf,
  giveReason,
  upload,
} from "#tests/support/documents.ts";
import { type Person, person, signIn } from "#tests/support/factories.ts";
import { pdf, png } from "#tests/support/files.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { audit } from "../audit/tables.ts";
import { createFileLinks, documentPath } from "./links.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const get = ({ caller }: Pick<Person, "caller">, url: string) => caller.request(url, { method: "GET" });
const linkOf = async ({ caller }: Pick<Person, "caller">, documentId: string, mode = "view") => {
  const { body, code } = await caller.call("documents.link", { documentId, mode });
  return { url: textIn(body, "url"), code };
};
/** Returns a link that was made some time ago. */
async function agedLink(who: Person, documentId: string, milliseconds: number): Promise<string> {
  const [own] = await w.services.database.db.select().from(session).where(eq(session.userId, who.id));
  const secret = w.environment.sessionSecret ?? "";
  const links = createFileLinks(createKeys(readSecrets(secret)), () => Date.now() - milliseconds);
  return links.make({ path: documentPath(documentId), mode: "view", sessionId: own?.id ?? "" }).url;
}
const viewsOf = async (id: string) =>
  (await w.services.database.db.select().from(audit).where(eq(audit.subjectId, id)))
    .filter(({ action }) => action !== "document-uploaded")
    .map(({ action, actorId, detail }) => ({ action, actorId, detail }));

describe("a link", () => {
  test("opens the file in the browser, safely", async () => {
    const student = await person(w, "student", "active");
    const bytes = png(20, 20, 200_000);
    const { id } = await upload(student, { name: "Übersicht.png", bytes: new Uint8Array(bytes) });
    const response = await get(student, (await linkOf(student, id)).url);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(bytes.length),
      "content-disposition": `inline; filename="_bersicht.png"; filename*=UTF-8''%C3%9Cbersicht.png`,
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cache-control": "private, no-store",
    });
    expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none';.*sandbox/);
  });

  test("downloads it under its own name, with the extension of its content", async () => {
    const student = await person(w, "student", "active");
    const bytes = new Uint8Array(pdf());
    const { id } = await upload(student, { name: `a "quoted" ; name=x.html`, bytes });
    const response = await get(student, (await linkOf(student, id, "download")).url);
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="a _quoted_ ; name=x.html.pdf"; ` +
        "filename*=UTF-8''a%20%22quoted%22%20%3B%20name%3Dx.html.pdf",
    );
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  });

  test("shows a PDF without a sandbox, which browsers need, but never as a page", async () => {
    const student = await person(w, "student", "active");
    const { id } = await upload(student, { name: "page.html" });
    const response = await get(student, (await linkOf(student, id)).url);
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
    await response.body?.cancel();
  });

  test("works for five minutes", async () => {
    const student = await person(w, "student", "active");
    const { id } = await upload(student);
    const before = Date.now();
    const { body } = await student.caller.call("documents.link", { documentId: id, mode: "view" });
    const expires = new URL(textIn(body, "url"), "http://x").searchParams.get("expires");
    expect(Number(expires) - before).toBeGreaterThanOrEqual(300_000);
    expect(Number(expires) - Date.now()).toBeLessThanOrEqual(300_000);
    expect((await get(student, await agedLink(student, id, 270_000))).status).toBe(200);
    const late = await get(student, await agedLink(student, id, 300_001));
    expect(late.status).toBe(410);
    expect(await late.text()).toContain("expired");
    expect(late.headers.get("content-type")).toContain("text/plain");
    expect(late.headers.get("cache-control")).toBe("no-store");
  });

  test("works only in the session that requested it", async () => {
    const { student, agent } = await assignedStudent(w);
    const { id } = await upload(student);
    const { url } = await linkOf(student, id);
    expect((await get({ caller: new Caller(w.app) }, url)).status).toBe(401);
    // These are another session of the same person, and another person who may see the file.
    const elsewhere = new Caller(w.app);
    await signIn(w, elsewhere, student.id);
    expect((await get({ caller: elsewhere }, url)).status).toBe(404);
    expect((await get(agent, url)).status).toBe(404);
    expect((await get(student, url)).status).toBe(200);
    await student.caller.call("account.signOut");
    expect((await get(student, url)).status).toBe(401);
  });

  test("can't be changed into another", async () => {
    const student = await person(w, "student", "active");
    const [first, second] = [await upload(student), await upload(student, { kind: "passport" })];
    const { url } = await linkOf(student, first.id);
    const { searchParams } = new URL(url, "http://x");
    const changed = (name: string, value: string) => {
      const other = new URL(url, "http://x");
      other.searchParams.set(name, value);
      return `${other.pathname}${other.search}`;
    };
    for (const wrong of [
      url.replace(first.id, second.id),
      changed("mode", "download"),
      changed("mode", "html"),
      changed("expires", String(Number(searchParams.get("expires")) + 1)),
      changed("expires", "NaN"),
      changed("expires", ""),
      changed("signature", ""),
      changed("signature", "A".repeat(43)),
      `/files/documents/${first.id}`,
    ])
      expect((await get(student, wrong)).status, wrong).toBe(404);
    expect((await student.caller.request(url, { method: "HEAD" })).status).toBe(405);
  });
});

describe("access to a student's documents", () => {
  test("is given to the student, the assigned agent and admins; others get not-found", async () => {
    const { student, agent } = await assignedStudent(w);
    const { id } = await upload(student, { kind: "passport", name: "secret-name.pdf" });
    const boss = await person(w, "admin", "active");
    await giveReason(boss, student.id);
    const may = [student, agent, boss];
    const mayNot = [
      await person(w, "student", "active"),
      await person(w, "agent", "approved"),
      await person(w, "agent", "pending"),
    ];
    for (const who of may) {
      const list = await who.caller.call("documents.ofStudent", { studentId: student.id });
      expect(JSON.stringify(list.body)).toContain("secret-name.pdf");
      expect((await get(who, (await linkOf(who, id)).url)).status).toBe(200);
    }
    for (const who of mayNot) {
      const unknown = await who.caller.call("documents.ofStudent", { studentId: "nobody" });
      const list = await who.caller.call("documents.ofStudent", { studentId: student.id });
      expect(list).toMatchObject({ status: 404, code: "not-found" });
      // A student who does not exist gets the same answer.
      expect(list.body).toEqual(unknown.body);
      expect((await linkOf(who, id)).code).toBe("not-found");
      // Even a link that is signed for this very session does not help.
      expect((await get(who, await agedLink(who, id, 0))).status).toBe(404);
    }
  });

  test("ends immediately for a former agent, even with an earlier link", async () => {
    const { student, agent } = await assignedStudent(w);
    const next = await person(w, "agent", "approved");
    const { id } = await upload(student);
    const { url } = await linkOf(agent, id);
    expect((await get(agent, url)).status).toBe(200);
    await assign(w, student.id, next.id);
    expect((await get(agent, url)).status).toBe(404);
    expect((await linkOf(agent, id)).code).toBe("not-found");
    expect((await agent.caller.call("documents.ofStudent", { studentId: student.id })).code).toBe(
      "not-found",
    );
    expect((await get(next, (await linkOf(next, id)).url)).status).toBe(200);
    await assign(w, student.id, null);
    expect((await linkOf(next, id)).code).toBe("not-found");
  });

  test("is as limited for an earlier version as for the current one", async () => {
    const { student, agent } = await assignedStudent(w);
    const first = await upload(student);
    await upload(student);
    expect((await get(agent, (await linkOf(agent, first.id)).url)).status).toBe(200);
    expect((await linkOf(await person(w, "agent", "approved"), first.id)).code).toBe("not-found");
  });
});

test("each view is in the audit log, but no refused one", async () => {
  const { student, agent } = await assignedStudent(w);
  const { id } = await upload(student);
  const view = await linkOf(agent, id);
  expect(await viewsOf(student.id)).toEqual([]);
  await get(agent, view.url);
  await get(agent, (await linkOf(agent, id, "download")).url);
  await get(student, (await linkOf(student, id)).url);
  await get(student, view.url);
  const detail = { document: id, kind: "cv" };
  expect(await viewsOf(student.id)).toEqual([
    { action: "document-viewed", actorId: agent.id, detail: { ...detail, right: "agent" } },
    { action: "document-downloaded", actorId: agent.id, detail: { ...detail, right: "agent" } },
    { action: "document-viewed", actorId: student.id, detail },
  ]);
});

test("a file that is missing in the store is answered with a message", async () => {
  const student = await person(w, "student", "active");
  const { id } = await upload(student);
  const [row] = await documentsOf(w, student.id);
  await w.services.storage.disk.delete(row?.storageKey ?? "");
  expect(await filesOf(w, student.id)).toEqual([]);
  const response = await get(student, (await linkOf(student, id)).url);
  expect(response.status).toBe(500);
  expect(await response.text()).toContain("Please contact support");
});
