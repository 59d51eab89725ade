import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LookRow } from "#contract/looks.ts";
import { lookActions } from "#domain/look.ts";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { send, uploadForMessage } from "#tests/support/conversations.ts";
import { assign, assignedStudent, upload, uploadHeaders } from "#tests/support/documents.ts";
import { type Person, person, signIn } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { conditionalOffer, uploadLetter } from "#tests/support/offers.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { accessesTo } from "./queries.ts";

let w: Wayfare;
let admin: Person;
beforeAll(async () => {
  w = await wayfare();
  admin = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const get = ({ caller }: Pick<Person, "caller">, url: string) => caller.request(url, { method: "GET" });
const identity = ({ caller }: Pick<Person, "caller">, studentId: string) =>
  caller.call("students.identity", { studentId });
const giveReason = ({ caller }: Pick<Person, "caller">, studentId: string, reason = "Visa question") =>
  caller.call("looks.giveReason", { studentId, reason });
async function seenBy({ caller }: Person, cursor?: string) {
  const { status, body } = await caller.call("looks.mine", { cursor });
  expect(status).toBe(200);
  return body as { looks: LookRow[]; next: string | null };
}
/** Makes all entries of the audit log older by some minutes. */
const age = (minutes: number) =>
  w.asOwner(`alter table audit disable trigger user;
    update audit set at = at - interval '${minutes} minutes';
    alter table audit enable trigger user`);

async function studentWithFile() {
  const { student, agent } = await assignedStudent(w);
  const { id } = await upload(student, { name: "scan.pdf", bytes: new Uint8Array(pdf()) });
  return { student, agent, documentId: id };
}

describe("an admin", () => {
  test("must give a reason before opening identity details, a document or the whole file", async () => {
    const { student, documentId } = await studentWithFile();
    const calls: [string, object][] = [
      ["students.identity", { studentId: student.id }],
      ["documents.link", { documentId, mode: "view" }],
      ["students.fileLink", { studentId: student.id }],
    ];
    for (const [name, input] of calls) {
      const refused = await admin.caller.call(name, input);
      expect([name, refused.status, refused.code]).toEqual([name, 403, "look/reason-required"]);
    }
    expect(await seenBy(student)).toEqual({ looks: [], next: null });
    expect((await giveReason(admin, student.id)).status).toBe(200);
    for (const [name, input] of calls) expect((await admin.caller.call(name, input)).status, name).toBe(200);
  });

  test("must give a reason that is not blank and has at most 300 characters", async () => {
    const { student } = await assignedStudent(w);
    for (const reason of [" \n ", "x".repeat(301)])
      expect((await giveReason(admin, student.id, reason)).code).toBe("form/incomplete");
    expect((await identity(admin, student.id)).code).toBe("look/reason-required");
    expect((await giveReason(admin, student.id, ` ${"x".repeat(300)} `)).status).toBe(200);
  });

  test("must give it for each student and session, and again after half an hour", async () => {
    const [{ student }, other] = [await assignedStudent(w), await person(w, "student", "active")];
    await giveReason(admin, student.id);
    expect((await identity(admin, other.id)).code).toBe("look/reason-required");
    const elsewhere = { ...admin, caller: new Caller(w.app) };
    await signIn(w, elsewhere.caller, admin.id);
    expect((await identity(elsewhere, student.id)).code).toBe("look/reason-required");
    await age(29);
    expect((await identity(admin, student.id)).status).toBe(200);
    await age(2);
    expect((await identity(admin, student.id)).code).toBe("look/reason-required");
  });

  test("can't open a file through a link once the reason has expired", async () => {
    const { student, documentId } = await studentWithFile();
    await giveReason(admin, student.id);
    const links = [
      await admin.caller.call("documents.link", { documentId, mode: "view" }),
      await admin.caller.call("students.fileLink", { studentId: student.id }),
    ].map(({ body }) => textIn(body, "url"));
    await age(31);
    for (const link of links) {
      const response = await get(admin, link);
      expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("reason")]);
    }
    expect((await seenBy(student)).looks).toEqual([]);
  });
});

describe("a student", () => {
  test("sees who looked at which papers by which right, without addresses", async () => {
    const { student, agent, documentId } = await studentWithFile();
    const link = async (who: Person, mode: string) => {
      const { body } = await who.caller.call("documents.link", { documentId, mode });
      expect((await get(who, textIn(body, "url"))).status).toBe(200);
    };
    await link(student, "view");
    await identity(agent, student.id);
    await link(agent, "view");
    await link(agent, "view");
    await giveReason(admin, student.id, "The embassy called");
    await link(admin, "download");
    const { body } = await admin.caller.call("students.fileLink", { studentId: student.id });
    await (await get(admin, textIn(body, "url"))).arrayBuffer();
    const { looks, next } = await seenBy(student);
    expect(next).toBe(null);
    expect(looks).toMatchObject([
      {
        viewer: { right: "admin", name: "Ada Obi", agency: "" },
        seen: [{ thing: "document", kind: "cv", name: "scan.pdf", saved: true }, { thing: "studentFile" }],
        reasons: ["The embassy called"],
      },
      {
        viewer: { right: "agent", name: "Ada Obi", agency: "North Star" },
        seen: [{ thing: "identity" }, { thing: "document", kind: "cv", name: "scan.pdf", saved: false }],
        reasons: [],
      },
    ]);
    expect(JSON.stringify(looks)).not.toContain("203.0.113.7");
  });

  test("sees an export with identity details, and why it was made", async () => {
    const { student } = await assignedStudent(w);
    const detail = { right: "admin", reason: "The ministry's census", as: "export" };
    await w.services.database.db
      .insert(audit)
      .values({ action: "identity-viewed", actorId: admin.id, subjectId: student.id, detail });
    expect((await seenBy(student)).looks).toMatchObject([
      { viewer: { right: "admin" }, seen: [{ thing: "export" }], reasons: ["The ministry's census"] },
    ]);
  });

  test("sees files in messages, requested documents and offer letters by their kind", async () => {
    const { student, agent, id: applicationId } = await conditionalOffer(w);
    await uploadLetter(agent, applicationId);
    const bankStatement = { kind: "other", name: "Bank statement", reason: "" };
    const { body } = await agent.caller.call("planner.askFor", {
      studentId: student.id,
      requests: [bankStatement],
    });
    const [requestId = ""] = (body as { ids: string[] }).ids;
    const response = await student.caller.request(`/files/requests/${requestId}`, {
      method: "POST",
      headers: uploadHeaders("statement.pdf"),
      body: new Uint8Array(pdf()),
    });
    expect(response.status).toBe(200);
    const ownFile = await uploadForMessage(student, student.id, "visa.pdf");
    const staffFile = await uploadForMessage(agent, student.id, "answer.pdf");
    await send(student, student.id, { files: [ownFile.id] });
    await send(agent, student.id, { files: [staffFile.id] });
    const opening: [string, object][] = [
      ["offers.letterLink", { applicationId, mode: "view" }],
      ["planner.requestLink", { requestId, mode: "view" }],
      ["conversations.fileLink", { fileId: staffFile.id, mode: "view" }],
      ["conversations.fileLink", { fileId: ownFile.id, mode: "download" }],
    ];
    const openAll = async (who: Person) => {
      for (const [name, input] of opening) {
        const link = await who.caller.call(name, input);
        expect((await get(who, textIn(link.body, "url"))).status, name).toBe(200);
      }
    };
    await openAll(agent);
    await giveReason(admin, student.id, "The embassy called");
    await openAll(admin);
    // The list has no file that staff sent, which is not the student's paper.
    const things = [
      { thing: "offerLetter", name: "MSc Data Science", saved: false },
      { thing: "requestedDocument", name: "Bank statement", saved: false },
      { thing: "messageFile", name: "visa.pdf", saved: true },
    ];
    expect((await seenBy(student)).looks).toMatchObject([
      { viewer: { right: "admin" }, seen: things, reasons: ["The embassy called"] },
      { viewer: { right: "agent" }, seen: things, reasons: [] },
    ]);
  });

  test("sees viewers by their current name, and erased ones by their right alone", async () => {
    const { student, agent } = await assignedStudent(w);
    const gone = await person(w, "agent", "approved");
    await identity(agent, student.id);
    await assign(w, student.id, gone.id);
    await identity(gone, student.id);
    const { db } = w.services.database;
    await assign(w, student.id, null);
    await db.update(user).set({ name: "Ada Married", status: "disabled" }).where(eq(user.id, agent.id));
    await db.delete(user).where(eq(user.id, gone.id));
    const viewers = (await seenBy(student)).looks.map(({ viewer }) => viewer);
    expect(viewers).toEqual([
      { right: "agent", name: null, agency: "" },
      { right: "agent", name: "Ada Married", agency: "North Star" },
    ]);
  });

  test("sees all pages of a long history, with each look once", async () => {
    const { student, agent } = await assignedStudent(w);
    await w.services.database.db.execute(sql`
      insert into audit (action, actor_id, subject_id, at)
      select 'identity-viewed', ${agent.id}, ${student.id}, now() - number * interval '45 minutes'
      from generate_series(1, 450) number`);
    const times: Date[] = [];
    let [cursor, pages]: [string | undefined, number] = [undefined, 0];
    do {
      const { looks, next } = await seenBy(student, cursor);
      expect(looks.length).toBeLessThanOrEqual(20);
      times.push(...looks.map(({ to }) => to));
      cursor = next ?? undefined;
      pages++;
    } while (cursor !== undefined);
    expect([times.length, new Set(times).size, pages]).toEqual([450, 450, 23]);
  });
});

test("a student's looks are read from an index of others' actions, however long the log is", async () => {
  const [student, agent] = [await person(w, "student", "active"), await person(w, "agent", "approved")];
  const { db } = w.services.database;
  await db.execute(sql`
    insert into audit (action, actor_id, subject_id)
    select 'document-viewed', ${student.id}, ${student.id} from generate_series(1, 20000)`);
  await db
    .insert(audit)
    .values(lookActions.map((action) => ({ action, actorId: agent.id, subjectId: student.id })));
  await w.asOwner("analyze audit");
  const read: string[] = [];
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    const { rows } = await tx.execute<Record<string, string>>(sql`
      explain select * from audit
      where subject_id = ${student.id} and actor_id <> subject_id and action = any(${sql.param([...lookActions])})
      order by at desc, id desc limit 200`);
    read.push(...rows.flatMap((row) => Object.values(row)));
  });
  expect(read.join("\n")).toContain("audit_by_others");
  expect((await accessesTo(db, student.id, null)).looks).toHaveLength(1);
});
