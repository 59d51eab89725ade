import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentLimits, uploadRefusal } from "#domain/document.ts";
import { Caller } from "#tests/support/caller.ts";
import { assignedStudent, documentsOf, filesOf, upload, uploadHeaders } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { jpeg, pdf, png } from "#tests/support/files.ts";
import { openStream } from "#tests/support/stream.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { audit } from "../audit/tables.ts";
import { notification } from "../notifications/tables.ts";
import { document } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const bytesOf = (buffer: Buffer) => new Uint8Array(buffer);
const newStudent = () => person(w, "student", "active");

test("a file is stored unchanged, under a generated key of its student", async () => {
  const student = await newStudent();
  const bytes = pdf(100_000);
  const answer = await upload(student, {
    kind: "passport",
    name: "Pass 你好 (1).pdf",
    bytes: bytesOf(bytes),
  });
  expect(answer.status).toBe(200);
  const [row, ...more] = await documentsOf(w, student.id);
  expect(more).toEqual([]);
  expect(row).toMatchObject({
    id: answer.id,
    kind: "passport",
    originalName: "Pass 你好 (1).pdf",
    mediaType: "application/pdf",
    size: 100_000,
    state: "uploaded",
    replacedAt: null,
  });
  const key = row?.storageKey ?? "";
  expect(key).toMatch(new RegExp(`^documents/passport/${student.id}/[0-9a-f-]{36}$`));
  expect(await filesOf(w, student.id)).toEqual([key]);
  expect(Buffer.from(await w.services.storage.disk.getBytes(key)).equals(bytes)).toBe(true);
});

test.each([
  ["a PNG that calls itself a PDF", png(), "image/png"],
  ["a JPEG", jpeg(), "image/jpeg"],
  ["a PDF", pdf(), "application/pdf"],
  ["an image of 50 megapixels", png(10_000, 5_000), "image/png"],
])("%s gets the type of its content", async (_what, bytes, mediaType) => {
  const student = await newStudent();
  expect((await upload(student, { bytes: bytesOf(bytes) })).status).toBe(200);
  expect(await documentsOf(w, student.id)).toMatchObject([{ mediaType }]);
});

describe("permission to upload", () => {
  test("is given to students only", async () => {
    const others = [
      await person(w, "agent", "approved"),
      await person(w, "agent", "pending"),
      await person(w, "admin", "active"),
    ];
    for (const other of others)
      expect(await upload(other)).toMatchObject({ status: 403, code: "permission-denied" });
    const visitor = { caller: new Caller(w.app) };
    expect(await upload(visitor)).toMatchObject({ status: 401, code: "unauthenticated" });
  });

  test("an upload into a slot that doesn't exist is refused", async () => {
    for (const kind of ["visa", "__proto__", "..%2Fpassport"])
      expect((await upload(await newStudent(), { kind })).status).toBe(404);
  });

  test("an upload is refused if its account was disabled while the file was in transit", async () => {
    const student = await newStudent();
    const { db } = w.services.database;
    const bytes = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await db.update(user).set({ status: "disabled" }).where(eq(user.id, student.id));
          controller.enqueue(new Uint8Array(pdf(1000)));
          controller.close();
        },
      },
      // The stream buffers nothing, so no byte is sent before the server reads and has identified the sender.
      { highWaterMark: 0 },
    );
    expect(await upload(student, { bytes })).toMatchObject({ status: 403, code: "permission-denied" });
    expect(await documentsOf(w, student.id)).toEqual([]);
    expect(await filesOf(w, student.id)).toEqual([]);
  });

  test("an upload from another site's page is refused", async () => {
    const student = await newStudent();
    const own = uploadHeaders("cv.pdf");
    for (const [headers, status] of [
      [{ origin: "https://evil.example" }, 403],
      [{ "sec-fetch-site": "cross-site" }, 403],
      [{ "content-type": "multipart/form-data; boundary=x" }, 415],
      [{ "content-type": "text/plain" }, 415],
      [{ "x-csrf-token": "" }, 403],
    ] as const)
      expect((await upload(student, { headers: { ...own, ...headers } })).status).toBe(status);
    expect(await documentsOf(w, student.id)).toEqual([]);
  });

  test("an account's upload beyond 60 files a day is refused", async () => {
    const student = await newStudent();
    const answers = [];
    for (let times = 0; times < 61; times++)
      answers.push(await upload(student, { bytes: new Uint8Array([1]) }));
    expect(answers.slice(0, 60).every(({ code }) => code === uploadRefusal.unknownType.code)).toBe(true);
    expect(answers[60]).toMatchObject({ status: 429, code: "resource-exhausted" });
    expect(Number(answers[60]?.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("replacing", () => {
  test("keeps the earlier version with its file", async () => {
    const student = await newStudent();
    const first = await upload(student, { name: "first.pdf" });
    const second = await upload(student, { name: "second.pdf" });
    const rows = await documentsOf(w, student.id);
    expect(rows.find(({ id }) => id === first.id)?.replacedAt).toBeInstanceOf(Date);
    expect(rows.find(({ id }) => id === second.id)?.replacedAt).toBeNull();
    expect(await filesOf(w, student.id)).toHaveLength(2);
    const { body } = await student.caller.call("documents.ofStudent", { studentId: student.id });
    expect(body).toMatchObject({
      slots: [
        { kind: "transcript", current: null, earlier: [] },
        {
          kind: "cv",
          current: { id: second.id, name: "second.pdf" },
          earlier: [{ id: first.id, name: "first.pdf", state: "uploaded" }],
        },
        { kind: "statement" },
        { kind: "recommendation1" },
        { kind: "recommendation2" },
        { kind: "passport" },
      ],
    });
  });

  test("keeps the last two earlier versions of each slot, and deletes those before with their files", async () => {
    const student = await newStudent();
    const other = await upload(student, { kind: "passport" });
    const ids = [];
    for (const name of ["1.pdf", "2.pdf", "3.pdf", "4.pdf", "5.pdf"])
      ids.push((await upload(student, { name })).id);
    const rows = await documentsOf(w, student.id);
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([other.id, ...ids.slice(2)]));
    expect((await filesOf(w, student.id)).toSorted()).toEqual(rows.map((row) => row.storageKey).toSorted());
    const { body } = await student.caller.call("documents.ofStudent", { studentId: student.id });
    expect(body).toMatchObject({
      slots: expect.arrayContaining([
        expect.objectContaining({
          kind: "cv",
          earlier: [expect.objectContaining({ name: "4.pdf" }), expect.objectContaining({ name: "3.pdf" })],
        }),
      ]),
    });
  });

  test("two concurrent uploads are both accepted, and one is current at the end", async () => {
    for (let round = 0; round < 10; round++) {
      const student = await newStudent();
      const answers = await Promise.all([
        upload(student, { name: "a.pdf" }),
        upload(student, { name: "b.pdf" }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const rows = await documentsOf(w, student.id);
      expect(rows).toHaveLength(2);
      expect(rows.filter(({ replacedAt }) => replacedAt === null)).toHaveLength(1);
    }
  });

  test("eight concurrent uploads, into all slots and some twice, do not affect each other", async () => {
    const student = await newStudent();
    const kinds = [
      "transcript",
      "cv",
      "statement",
      "recommendation1",
      "recommendation2",
      "passport",
    ] as const;
    const bad = new Uint8Array(Buffer.from("not a document"));
    const answers = await Promise.all([
      ...kinds.map((kind) => upload(student, { kind, bytes: new Uint8Array(pdf(300_000)) })),
      upload(student, { kind: "cv", bytes: bad }),
      upload(student, { kind: "passport" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 400, 200]);
    const rows = await documentsOf(w, student.id);
    expect(rows).toHaveLength(7);
    expect((await filesOf(w, student.id)).toSorted()).toEqual(rows.map((row) => row.storageKey).toSorted());
  });
});

describe("all files of a student together", () => {
  const mb = 1024 * 1024;
  /** Sets the total size of a student's files in the database. */
  const fill = async (student: Person, size: number) => {
    const { id } = await upload(student, { kind: "passport" });
    await w.services.database.db.update(document).set({ size }).where(eq(document.id, id));
  };
  const verify = (student: Person, emailVerified: boolean) =>
    w.services.database.db.update(user).set({ emailVerified }).where(eq(user.id, student.id));

  test.each([
    [true, documentLimits.total, "noRoom"],
    [false, documentLimits.totalUnverified, "noRoomUnverified"],
  ] as const)("verified %s: refuses files beyond %i bytes", async (isVerified, total, problem) => {
    const student = await newStudent();
    await verify(student, isVerified);
    await fill(student, total - mb);
    expect((await upload(student, { bytes: new Uint8Array(pdf(mb)) })).status).toBe(200);
    const before = await filesOf(w, student.id);
    expect(await upload(student, { kind: "cv" })).toMatchObject({ status: 429, ...uploadRefusal[problem] });
    expect(await filesOf(w, student.id)).toEqual(before);
    // The earlier file is still in the slot.
    expect(await documentsOf(w, student.id, "cv")).toMatchObject([{ replacedAt: null, size: mb }]);
  });

  test("a file that is deleted for a new version makes room for it", async () => {
    const student = await newStudent();
    await verify(student, true);
    for (const size of [documentLimits.total - 1000, 300, 300]) {
      const { id } = await upload(student);
      await w.services.database.db.update(document).set({ size }).where(eq(document.id, id));
    }
    expect((await upload(student, { bytes: new Uint8Array(pdf(mb)) })).status).toBe(200);
  });

  test("two concurrent uploads do not exceed the limit together", async () => {
    for (let round = 0; round < 5; round++) {
      const student = await newStudent();
      await verify(student, true);
      await fill(student, documentLimits.total - mb);
      const answers = await Promise.all(
        (["cv", "transcript"] as const).map((kind) =>
          upload(student, { kind, bytes: new Uint8Array(pdf(mb)) }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429]);
    }
  });
});

describe("notifications", () => {
  test("reach the assigned agent in the app, by mail and on the open dashboard; the upload is audited", async () => {
    const { student, agent } = await assignedStudent(w);
    const dashboard = await openStream(agent.caller, "dashboard");
    const { id } = await upload(student, { kind: "recommendation1" });
    expect(await dashboard.next()).toBe("dashboard");
    await dashboard.leave();
    const { db } = w.services.database;
    expect(await db.select().from(notification).where(eq(notification.userId, agent.id))).toMatchObject([
      {
        kind: "documentUploaded",
        about: { student: "Ada Obi", document: "Recommendation 1" },
        path: `/manage-students?filter=mine&search=Ada+Obi&student=${student.id}`,
      },
    ]);
    await w.mail(agent.email, /uploaded: Recommendation 1/);
    expect(await db.select().from(audit).where(eq(audit.subjectId, student.id))).toMatchObject([
      { action: "document-uploaded", actorId: student.id, detail: { document: id, kind: "recommendation1" } },
    ]);
  });

  test("reach admins while the student has no agent", async () => {
    const student = await newStudent();
    const boss = await person(w, "admin", "active");
    const { id } = await upload(student);
    const { db } = w.services.database;
    const rows = await db
      .select()
      .from(notification)
      .where(eq(notification.eventKey, `document-uploaded:${id}`));
    expect(rows.map(({ userId }) => userId)).toContain(boss.id);
  });
});

test("an upload that can't be recorded leaves no file", async () => {
  const student = await newStudent();
  const { live } = w.services;
  const { publishTo } = live;
  live.publishTo = () => Promise.reject(new Error("the process was out of luck"));
  const answer = await upload(student);
  live.publishTo = publishTo;
  expect(answer.status).toBe(500);
  expect(await documentsOf(w, student.id)).toEqual([]);
  expect(await filesOf(w, student.id)).toEqual([]);
});
