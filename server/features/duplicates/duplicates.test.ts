import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ClueKind, Verdict } from "#domain/duplicates.ts";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { profile } from "../profile/tables.ts";
import { duplicateDecision } from "./tables.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());
beforeEach(async () => {
  await w.services.database.db.update(user).set({ phone: "" });
  await w.services.database.db.delete(profile);
});

type Facts = { lastName?: string; phone?: string; born?: string; passport?: string; postcode?: string };

async function student({ lastName = "Obi", phone = "", born, passport = "", postcode = "" }: Facts) {
  const one = await person(w, "student", "active");
  const { db } = w.services.database;
  await db.update(user).set({ lastName, phone }).where(eq(user.id, one.id));
  const empty = { middleName: "", idNumber: "", citizenship: "", addressLine1: "", addressLine2: "" };
  const place = { city: "", state: "", postalCode: postcode };
  await db
    .insert(profile)
    .values({ userId: one.id, dateOfBirth: born ?? null, passportNumber: passport, ...empty, ...place });
  return one;
}

type Group = { members: { id: string }[]; clues: ClueKind[]; decision: { id: string } | null };
async function groups(show: "open" | "decided" = "open") {
  const { body } = await boss.caller.call("duplicates.list", { show });
  return (body as { groups: Group[] }).groups.map(({ members, clues, decision }) => ({
    ids: members.map(({ id }) => id).toSorted(),
    clues,
    decision: decision?.id,
  }));
}
const ids = (...people: readonly Person[]) => people.map(({ id }) => id).toSorted();
const decide = (verdict: Verdict, one: Person, ...others: readonly Person[]) =>
  boss.caller.call("duplicates.decide", {
    studentId: one.id,
    otherIds: others.map(({ id }) => id),
    verdict,
  });

describe("the open list", () => {
  const birthday = { born: "2007-05-04" };

  test("joins students with the same name, birthday and passport, ignoring punctuation and case", async () => {
    const one = await student({ ...birthday, lastName: "OBI", passport: "a 123-456" });
    const other = await student({ ...birthday, passport: "A123456" });
    await student({ born: "2007-05-05", passport: "A123456" });
    await student({ ...birthday, lastName: "Bello", passport: "A123456" });
    expect(await groups()).toEqual([{ ids: ids(one, other), clues: ["passport"] }]);
  });

  test("joins a third student by the phone number of the second", async () => {
    const one = await student({ ...birthday, postcode: "100 001" });
    const two = await student({ ...birthday, postcode: "100001", phone: "+234 803 123 4567" });
    const three = await student({ lastName: "Bello", phone: "+2348031234567" });
    const [group] = await groups();
    expect(group?.ids).toEqual(ids(one, two, three));
    expect(new Set(group?.clues)).toEqual(new Set(["postcode", "phone"]));
  });

  test("leaves out students who share nothing but empty fields", async () => {
    await student({});
    await student({});
    await student({ born: "2007-05-04" });
    await student({ born: "2007-05-04" });
    expect(await groups()).toEqual([]);
  });

  test("ignores a phone number that more accounts share than one person can have", async () => {
    for (let at = 0; at < 21; at++) await student({ phone: "+44 20 7946 0000" });
    expect(await groups()).toEqual([]);
  });

  test("shows none of the facts that the students share", async () => {
    await student({ born: "2007-05-04", passport: "PASSPORTCANARY" });
    await student({ born: "2007-05-04", passport: "PASSPORTCANARY" });
    const { body } = await boss.caller.call("duplicates.list", {});
    expect(JSON.stringify(body)).not.toMatch(/PASSPORTCANARY|2007-05-04/);
  });
});

describe("a decision", () => {
  test("closes its group, and is listed among the decisions until it is taken back", async () => {
    const [one, other] = [await student({ phone: "0803 555 0001" }), await student({ phone: "08035550001" })];
    expect((await decide("different", one, other)).status).toBe(200);
    expect(await groups()).toEqual([]);
    const decision = (await groups("decided")).find((group) => group.ids.includes(one.id));
    expect(decision?.ids).toEqual(ids(one, other));
    expect((await boss.caller.call("duplicates.reopen", { id: decision?.decision })).status).toBe(200);
    expect((await groups()).map((group) => group.ids)).toEqual([ids(one, other)]);
    expect((await boss.caller.call("duplicates.reopen", { id: decision?.decision })).code).toBe("not-found");
  });

  test("doesn't hold for a group that another account has joined", async () => {
    const [one, other] = [
      await student({ phone: "0803 555 0002" }),
      await student({ phone: "0803 555 0002" }),
    ];
    await decide("different", one, other);
    const third = await student({ phone: "0803 555 0002" });
    expect((await groups()).map((group) => group.ids)).toEqual([ids(one, other, third)]);
  });

  test("is in the audit log of each of its students", async () => {
    const [one, other] = [await student({}), await student({})];
    await decide("same", one, other);
    for (const { id } of [one, other]) {
      const entries = await w.services.database.db
        .select()
        .from(audit)
        .where(and(eq(audit.subjectId, id), eq(audit.action, "duplicates-decided")));
      expect(entries).toMatchObject([{ actorId: boss.id, detail: { verdict: "same" } }]);
    }
  });

  test("about an account that is not a student's, or about a single account, is refused", async () => {
    const one = await student({});
    const agent = await person(w, "agent", "approved");
    expect((await decide("same", one, agent)).code).toBe("not-found");
    expect((await decide("same", one, one)).code).toBe("not-found");
    const { db } = w.services.database;
    expect(await db.select().from(duplicateDecision).where(eq(duplicateDecision.accountId, one.id))).toEqual(
      [],
    );
  });
});
