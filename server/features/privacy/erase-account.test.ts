import { and, eq, getTableName, sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { tidyPictures } from "#server/features/auctions/pictures/commands/tidy-pictures.ts";
import { settleDue } from "#server/features/auctions/settlement/commands/settle-due.ts";
import { auctionProduct } from "#server/features/auctions/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { removeOrphans } from "#server/features/documents/commands/remove-orphans.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { submit } from "#tests/applications.ts";
import { bid, endAt, product, storedProduct } from "#tests/auctions.ts";
import { Caller } from "#tests/caller.ts";
import { assign, filesOf, guidedStudent, upload } from "#tests/documents.ts";
import { fullProfile, goodPassword, type Person, person, storedUser } from "#tests/factories.ts";
import { createProduct, pictureFilesIn, productForm, readyPicture } from "#tests/pictures.ts";
import { until, type Wayfare, wayfare } from "#tests/wayfare.ts";
import { user } from "../account/tables.ts";
import { eraseByEmail } from "./erase-account.ts";
import { eraseDueAccounts } from "./erase-due.ts";
import { tablesOfPeople } from "./tables-of-people.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const day = 24 * 3_600_000;
const disable = (who: Person) =>
  boss.caller.call("students.setDisabled", { userId: who.id, disabled: true, releaseStudents: true });
const askForDeletion = async (who: Person) =>
  expect((await who.caller.call("account.requestDeletion")).status).toBe(200);
const isDue = (who: Person, dueAt = new Date(Date.now() - 1)) =>
  w.services.database.db.update(user).set({ deletionDueAt: dueAt }).where(eq(user.id, who.id));
const login = ({ email }: Pick<Person, "email">) =>
  new Caller(w.app).call("account.signIn", { email, password: goodPassword });

/** The tables in which any row holds the text. */
async function tablesWith(text: string): Promise<string[]> {
  const { db } = w.services.database;
  const { rows } = await db.execute<{ name: string }>(
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'jobs')`,
  );
  const found = await Promise.all(
    rows.map(async ({ name }) => {
      const from = sql.raw(name);
      const hit = await db.execute(sql`select from ${from} t where position(${text} in t::text) > 0 limit 1`);
      return hit.rowCount === 0 ? [] : [name];
    }),
  );
  return found.flat().toSorted();
}

/** Tables whose rows stay, as the list has it; steps and reviews of others' know who did them by an id. */
const staying = [
  ...tablesOfPeople.flatMap(({ table, erasure }) => (erasure.kind === "stays" ? [getTableName(table)] : [])),
  "application_step",
  "document",
].map((name) => `public.${name}`);

/** A student of whom there is something in every place. */
async function busyStudent(): Promise<{ student: Person; agent: Person; item: string; own: string }> {
  const { student, agent } = await guidedStudent(w);
  const seller = await person(w, "student", "active");
  const { caller } = student;
  const calls: [string, object][] = [
    [
      "profile.save",
      { version: 0, profile: { ...fullProfile, passportNumber: "E77ERASEME", lastName: "Erasemann" } },
    ],
    ["shortlist.add", { university: "Lund", course: "Physics", url: "https://example.org/physics" }],
    ["profile.changeEmail", { email: `new.${student.email}`, password: goodPassword }],
    ["notifications.setMailSwitch", { kind: "outbid", on: false }],
    ["contact.send", { name: "Erasemann", email: student.email, message: "E77ERASEME", website: "" }],
    ["account.requestPasswordReset", { email: ` ${student.email.toUpperCase()}` }],
  ];
  for (const [name, input] of calls) expect((await caller.call(name, input)).status, name).toBe(200);
  await new Caller(w.app).call("account.signIn", { email: student.email, password: "wrong" });
  expect((await submit(student)).status).toBe(200);
  expect((await upload(student)).status).toBe(200);
  const item = await product(w, seller);
  expect((await bid(caller, item, 5000)).status).toBe(200);
  const form = productForm({ handover: "17 Erasemann Street", images: [await readyPicture(student)] });
  const created = await createProduct(student, form);
  expect(created.status).toBe(200);
  await readyPicture(student);
  return { student, agent, item, own: String(Reflect.get(Object(created.body), "id")) };
}

async function expectErased({ id, email }: Person, ...texts: string[]): Promise<void> {
  expect(await storedUser(w, id)).toBeUndefined();
  for (const text of [email, ...texts]) expect([text, await tablesWith(text)]).toEqual([text, []]);
  expect((await tablesWith(id)).filter((name) => !staying.includes(name))).toEqual([]);
}

test("a disabled student is gone from every table, the queue and the store, at an operator's word", async () => {
  const { student, item } = await busyStudent();
  expect(await tablesWith("E77ERASEME")).not.toEqual([]);
  await disable(student);
  expect(await eraseByEmail(w.services, ` ${student.email.toUpperCase()} `)).toBe("erased");
  await expectErased(student, "E77ERASEME", "Erasemann");
  expect(await tablesWith(student.id)).toEqual([
    "public.auction_bid",
    "public.auction_bidder",
    "public.auction_bidding",
    "public.audit",
  ]);
  expect(await filesOf(w, student.id)).toEqual([]);
  expect(await pictureFilesIn(w)).toEqual([]);
  expect((await w.app.request(`/auctions/products/${item}`)).status).toBe(200);
  // Again, nothing happens.
  expect(await eraseByEmail(w.services, student.email)).toBe("notFound");
});

describe("an operator is refused", () => {
  test("an account that still works, and an address that nobody has", async () => {
    const student = await person(w, "student", "active");
    expect(await eraseByEmail(w.services, student.email)).toBe("notDisabled");
    expect(await eraseByEmail(w.services, "nobody@example.org")).toBe("notFound");
    expect(await storedUser(w, student.id)).toBeDefined();
  });

  test("the owner of the tables too: any other removal of an application's step", async () => {
    await submit(await person(w, "student", "active"));
    const other = await person(w, "student", "active");
    await disable(other);
    expect(await eraseByEmail(w.services, other.email)).toBe("erased");
    await expect(w.asOwner("delete from application_step")).rejects.toThrow(/append-only/);
  });
});

describe("the application's role", () => {
  const erase = (id: string) =>
    w.services.database.db.execute(sql`select erase_application_steps(${id})`).catch((error) => error.cause);

  test("removes an application's steps by its function alone, and only when the deletion is due", async () => {
    const student = await person(w, "student", "active");
    await submit(student);
    const refusal = { message: "the deletion of this account is not due" };
    expect(await erase(student.id)).toMatchObject(refusal);
    await isDue(student, new Date(Date.now() + day));
    expect(await erase(student.id)).toMatchObject(refusal);
    expect(await tablesWith(student.id)).toContain("public.application_step");
    // Saying so does not make it so: the role has no right to the table.
    await expect(
      w.services.database.transaction(async (tx) => {
        await tx.execute(sql`set local wayfare.erasing = 'on'`);
        await tx.execute(sql`delete from application_step`);
      }),
    ).rejects.toMatchObject({ cause: { code: "42501" } });
  });
});

test("sales keep their amounts and lose the person; what nobody bid for goes, pictures and words go too", async () => {
  const [seller, buyer] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const words = { description: "Ring at number 17", handover: "17 Palm Grove" };
  const sold = await product(w, seller, { ...words, productName: "A chair" });
  const unsold = await product(w, seller, words);
  const bought = await product(w, buyer, {});
  for (const [who, what] of [
    [buyer, sold],
    [seller, bought],
  ] as const)
    expect((await bid(who.caller, what, 500)).status).toBe(200);
  for (const id of [sold, unsold, bought]) await endAt(w, id, new Date(Date.now() - 1000));
  await settleDue(w.services);
  expect(await storedProduct(w, sold)).toMatchObject({ state: "sold", winnerId: buyer.id });
  await askForDeletion(seller);
  await isDue(seller);
  await eraseDueAccounts(w.services);

  expect(await storedProduct(w, sold)).toMatchObject({
    productName: "A chair",
    state: "sold",
    sellerId: null,
    winnerId: buyer.id,
    winningBid: 50_000,
    description: "",
    handover: "",
  });
  expect(await storedProduct(w, bought)).toMatchObject({
    sellerId: buyer.id,
    winnerId: null,
    winningBid: 50_000,
  });
  const left = await w.services.database.db
    .select()
    .from(auctionProduct)
    .where(eq(auctionProduct.id, unsold));
  expect(left).toEqual([]);
  await expectErased(seller, "Palm Grove", "number 17");
  const list = await buyer.caller.call("auctions.myBids");
  expect(JSON.stringify(list.body)).toContain("A chair");
  const relation = await buyer.caller.call("auctions.relation", { productId: sold });
  expect(relation.body).toMatchObject({ contact: null });
});

test("an agent's students are released and told, and nobody's notifications name the agent any more", async () => {
  const { student, agent } = await guidedStudent(w);
  const other = await person(w, "agent", "approved");
  const lastName = `Gonemann-${agent.id.slice(0, 8)}`;
  const profile = { ...fullProfile, lastName };
  expect((await agent.caller.call("profile.save", { version: 0, profile })).status).toBe(200);
  await assign(w, student.id, null);
  const input = { studentId: student.id, agentId: agent.id, expectedAgentId: null };
  expect((await boss.caller.call("students.assign", input)).status).toBe(200);
  expect(await tablesWith(lastName)).toContain("public.notification");
  await askForDeletion(agent);
  // For now they stay, and the admins are told.
  expect(await storedUser(w, student.id)).toMatchObject({ assignedAgentId: agent.id });
  const toldTo = async (who: Person) =>
    (
      await w.services.database.db
        .select()
        .from(notification)
        .where(eq(notification.userId, who.id))
        .orderBy(notification.id)
    ).map(({ kind, about }) => [kind, about["agent"]]);
  expect(await toldTo(boss)).toContainEqual(["agentLeaving", `Ada ${lastName}`]);

  await isDue(agent);
  await eraseDueAccounts(w.services);
  await expectErased(agent, lastName);
  expect(await storedUser(w, student.id)).toMatchObject({ assignedAgentId: null });
  expect(await toldTo(student)).toEqual([["agentLost", undefined]]);
  expect((await toldTo(boss)).at(-1)).toEqual(["studentsLeft", undefined]);
  await w.mail(student.email, /no longer|can no longer help you/);
  expect(await storedUser(w, other.id)).toBeDefined();
});

describe("a crash in the middle", () => {
  test("of the rows leaves everything as it was, and the next night does all of it; others are not held up", async () => {
    const { student } = await busyStudent();
    const other = await person(w, "student", "active");
    for (const each of [student, other]) {
      await askForDeletion(each);
      await isDue(each);
    }
    // The last statement fails for this one.
    await w.asOwner(`create function refuse() returns trigger language plpgsql as $$
      begin if old.id = '${student.id}' then raise 'a crash'; end if; return old; end $$;
      create trigger refuse before delete on "user" for each row execute function refuse();`);
    await eraseDueAccounts(w.services);
    expect(await storedUser(w, other.id)).toBeUndefined();
    expect(await tablesWith("E77ERASEME")).toContain("public.profile");
    expect(await filesOf(w, student.id)).not.toEqual([]);
    expect(w.log.filter(({ msg }) => msg === "an account could not be erased")).toHaveLength(1);

    await w.asOwner(`drop trigger refuse on "user"; drop function refuse()`);
    await eraseDueAccounts(w.services);
    await expectErased(student, "E77ERASEME", "Erasemann");
    expect(await filesOf(w, student.id)).toEqual([]);
  });

  test("of the files leaves them to the nightly job", async () => {
    const { student } = await busyStudent();
    await askForDeletion(student);
    await isDue(student);
    const { disk } = w.services.storage;
    const crash = vi.spyOn(disk, "delete").mockRejectedValue(new Error("a crash"));
    await eraseDueAccounts(w.services);
    crash.mockRestore();
    await expectErased(student, "E77ERASEME");
    expect(await filesOf(w, student.id)).not.toEqual([]);
    const tomorrow = new Date(Date.now() + 2 * day);
    await removeOrphans(w.services, tomorrow);
    await tidyPictures(w.services, tomorrow);
    expect(await filesOf(w, student.id)).toEqual([]);
    expect(await pictureFilesIn(w)).toEqual([]);
  });
});

test.each(["login", "erasure"] as const)(
  "a login and the night at the same moment, first the %s: it wins, whole",
  async (first) => {
    const student = await person(w, "student", "active");
    await submit(student);
    await askForDeletion(student);
    await isDue(student);
    const holder = new pg.Client(w.address);
    await holder.connect();
    await holder.query("begin");
    await holder.query(`select from "user" where id = $1 for update`, [student.id]);
    const waiting = (number: number) =>
      until(async () => {
        const { rows } = await holder.query<{ number: number }>(
          `select count(*)::int as number from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and cardinality(pg_blocking_pids(pid)) > 0`,
        );
        return rows[0]?.number === number;
      });
    const work = { login: () => login(student), erasure: () => eraseDueAccounts(w.services) };
    const second = first === "login" ? "erasure" : "login";
    const begun = { [first]: work[first]() };
    await waiting(1);
    begun[second] = work[second]();
    await waiting(2);
    await holder.query("commit");
    await holder.end();
    const answer = await begun["login"];
    await begun["erasure"];

    if (first === "login") {
      expect(answer).toMatchObject({ status: 200 });
      expect(await storedUser(w, student.id)).toMatchObject({ status: "active", deletionDueAt: null });
      expect(await tablesWith(student.id)).toContain("public.application_step");
    } else {
      expect(answer).toMatchObject({ code: "auth/invalid-credential" });
      await expectErased(student);
    }
  },
);

test("two logins at once keep an account once", async () => {
  const student = await person(w, "student", "active");
  await askForDeletion(student);
  const answers = await Promise.all([login(student), login(student), login(student)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const kept = await w.services.database.db
    .select()
    .from(audit)
    .where(and(eq(audit.subjectId, student.id), eq(audit.action, "deletion-cancelled")));
  expect(kept).toHaveLength(1);
});
