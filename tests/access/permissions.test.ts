import { randomUUID } from "node:crypto";
import { type ContractRouter, oc } from "@orpc/contract";
import { traverseContractProcedures } from "@orpc/server";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { type Access, done, guarded } from "#contract/base.ts";
import { contract } from "#contract/index.ts";
import type { AccountAudience, Audience } from "#domain/audience.ts";
import { router } from "#server/features/index.ts";
import { bid, product } from "#tests/support/auctions.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { goodPassword, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { accessTable, type ExpectedAccess } from "./access-table.ts";
import { type ContractProcedure, contractProcedures } from "./input-fields.ts";
import { input } from "./inputs.ts";

const kinds = [
  "visitor",
  "student",
  "otherStudent",
  "pending",
  "approved",
  "denied",
  "revoked",
  "disabled",
  "admin",
] as const;
type Kind = (typeof kinds)[number];

/**
 * The kinds of callers in each audience. All others are refused: `unauthenticated` without a session,
 * `permission-denied` with one.
 */
const callers: Record<Audience, readonly Kind[]> = {
  anyone: kinds,
  signedIn: ["student", "otherStudent", "pending", "approved", "admin"],
  student: ["student", "otherStudent"],
  approvedAgent: ["approved"],
  profileHolder: ["student", "otherStudent", "approved"],
  staff: ["approved", "admin"],
  studentOrStaff: ["student", "otherStudent", "approved", "admin"],
  admin: ["admin"],
};
/** Kinds without a session: denied, revoked and disabled accounts are visitors with an old cookie. */
const withoutSession: ReadonlySet<Kind> = new Set(["visitor", "denied", "revoked", "disabled"]);

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

async function caller(kind: Kind): Promise<Caller> {
  if (kind === "visitor") return new Caller(w.app);
  if (kind === "student" || kind === "otherStudent") return (await person(w, "student", "active")).caller;
  if (kind === "admin") return (await person(w, "admin", "active")).caller;
  if (kind === "pending" || kind === "approved") return (await person(w, "agent", kind)).caller;
  if (kind === "disabled") return (await person(w, "student", "disabled")).caller;
  const boss = await person(w, "admin", "active");
  const agent = await person(w, "agent", kind === "denied" ? "pending" : "approved");
  const answer = await boss.caller.call(kind === "denied" ? "agents.deny" : "agents.revoke", {
    id: agent.id,
  });
  expect(answer.status).toBe(200);
  return agent.caller;
}

const implemented = (): string[] => {
  const paths: string[] = [];
  traverseContractProcedures({ router, path: [] }, ({ path }) => paths.push(path.join(".")));
  return paths.toSorted();
};

/** Returns the access that the contract declares as a row of the table. */
const asRow = ({ access, reads }: ContractProcedure): ExpectedAccess => [
  access.who,
  ...(reads ? (["reads"] as const) : []),
  ...(access.secondFactor === "optional" ? (["withoutSecondFactor"] as const) : []),
  ...(access.limit === "own" ? (["ownLimit"] as const) : []),
  ...(access.limit === "ownOnly" ? (["ownLimitOnly"] as const) : []),
];

test("the contract declares the access of every procedure as in the table", () => {
  expect(Object.fromEntries(contractProcedures().map((each) => [each.path, asRow(each)]))).toEqual(
    accessTable,
  );
});

test("the server implements exactly the procedures of the contract", () => {
  expect(implemented()).toEqual(Object.keys(accessTable).toSorted());
});

test("a procedure without declared access can't be part of a contract", () => {
  expectTypeOf(guarded).parameter(0).toHaveProperty("who").toEqualTypeOf<AccountAudience>();
  const { account } = contract;
  expectTypeOf({ account }).toExtend<ContractRouter<Access>>();
  const nobody = oc.output(done);
  expectTypeOf({ nobody }).not.toExtend<ContractRouter<Access>>();
});

test("an account that lacks a required second factor may only prove or set one up", async () => {
  const strict = await wayfare({ variables: { SECOND_FACTOR_REQUIRED: "agents" }, on: w.address });
  try {
    const { email } = await person(w, "agent", "approved");
    const lacking = new Caller(strict.app);
    await lacking.call("account.signIn", { email, password: goodPassword });
    const guardedRows = Object.entries(accessTable).filter(([, [audience]]) => audience !== "anyone");
    const refused: string[] = [];
    for (const [procedure] of guardedRows) {
      const { code } = await lacking.call(procedure, input[procedure]);
      if (code === "account/second-factor-required") refused.push(procedure);
    }
    const expected = guardedRows.filter(([, row]) => !row.includes("withoutSecondFactor"));
    expect(refused).toEqual(expected.map(([procedure]) => procedure));
  } finally {
    await strict.stop();
  }
});

test("an account may make 120 changes a minute of any kind; other accounts and reads are not affected", async () => {
  const [busy, other] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const item = { university: "Leeds", course: "Nursing", url: "https://leeds.ac.uk" };
  const answers = [];
  for (let at = 0; at < 60; at++) {
    const added = await busy.caller.call("shortlist.add", item);
    answers.push(added, await busy.caller.call("shortlist.remove", { id: textIn(added.body, "id") }));
  }
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const refused = await busy.caller.call("profile.mine");
  expect(refused.code).toBe("resource-exhausted");
  expect(refused.message).toBe(
    "You've made a lot of changes in a short time. Please wait a moment and try again.",
  );
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await busy.caller.call("shortlist.list")).status).toBe(200);
  expect((await other.caller.call("shortlist.add", item)).status).toBe(200);
});

describe.each(kinds)("%s", (kind) => {
  // One caller is enough for refusals and reads, which change nothing.
  let usual: Caller;
  beforeAll(async () => {
    usual = await caller(kind);
  });

  test.each(Object.entries(accessTable))("%s", async (procedure, [audience, ...traits]) => {
    const isAllowed = callers[audience].includes(kind);
    const who = isAllowed && !traits.includes("reads") ? await caller(kind) : usual;
    const { cookie } = who;
    const { code, status } = await who.call(procedure, input[procedure]);
    // The next call must use the same session.
    if (who === usual) expect(who.cookie).toBe(cookie);
    if (!isAllowed) expect(code).toBe(withoutSession.has(kind) ? "unauthenticated" : "permission-denied");
    else {
      expect(["unauthenticated", "permission-denied"]).not.toContain(code);
      expect(status).toBeLessThan(500);
    }
  });
});

test("the key of another person's bid is treated as new, and reveals nothing of that bid", async () => {
  const student = () => person(w, "student", "active");
  const [seller, one, other] = [await student(), await student(), await student()];
  const key = randomUUID();
  const lots = [await product(w, seller), await product(w, seller)] as const;
  expect(await bid(one.caller, lots[0], 200, key)).toMatchObject({ status: 200, body: { number: 1 } });
  expect(await bid(other.caller, lots[0], 300, key)).toMatchObject({ status: 200, body: { number: 2 } });
  expect(await bid(other.caller, lots[1], 200, key)).toMatchObject({ code: "already-exists" });
  expect(await bid(one.caller, lots[0], 200, key)).toMatchObject({ status: 200, body: { number: 1 } });
});
