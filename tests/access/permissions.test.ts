import { randomUUID } from "node:crypto";
import { traverseContractProcedures } from "@orpc/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contract } from "#contract/index.ts";
import { profileFields } from "#domain/profile.ts";
import { router } from "#server/features/index.ts";
import { reading } from "#server/procedures.ts";
import { bid, product } from "#tests/support/auctions.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { describeObjectAccess } from "./object-access.ts";
import { objects } from "./object-rules.ts";

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
 * The kinds of callers that may call. All others are refused: `unauthenticated` without a session, `permission-denied`
 * with one.
 */
const everyone = kinds;
const signedIn: readonly Kind[] = ["student", "otherStudent", "pending", "approved", "admin"];
const students: readonly Kind[] = ["student", "otherStudent"];
const holders: readonly Kind[] = [...students, "approved"];
const admins: readonly Kind[] = ["admin"];
const staff: readonly Kind[] = ["approved", "admin"];
/** Denied, revoked and disabled accounts have lost their sessions: they are visitors with an old cookie. */
const without: ReadonlySet<Kind> = new Set(["visitor", "denied", "revoked", "disabled"]);

/** Every procedure of the contract × every kind of caller. A procedure that is missing here fails the test. */
const table: Record<string, readonly Kind[]> = {
  "account.me": everyone,
  "account.signUp": everyone,
  "account.signIn": everyone,
  "account.signOut": everyone,
  "account.devices": signedIn,
  "account.signOutDevice": signedIn,
  "account.signOutOthers": signedIn,
  "account.dataLink": signedIn,
  "account.requestDeletion": signedIn,
  "account.confirmIdentity": signedIn,
  "account.passkeyChallenge": everyone,
  "account.signInWithPasskey": everyone,
  "account.confirmationChallenge": signedIn,
  "account.confirmWithPasskey": signedIn,
  "account.requestPasswordReset": everyone,
  "account.passwordLink": everyone,
  "account.setPassword": everyone,
  "account.changePassword": signedIn,
  "account.verifyEmail": everyone,
  "account.resendVerification": signedIn,
  "signInMethods.mine": signedIn,
  "signInMethods.sendMailboxCode": signedIn,
  "signInMethods.proveMailbox": signedIn,
  "signInMethods.startAuthenticator": signedIn,
  "signInMethods.confirmAuthenticator": signedIn,
  "signInMethods.removeAuthenticator": signedIn,
  "signInMethods.renewRecoveryCodes": signedIn,
  "signInMethods.startPasskey": signedIn,
  "signInMethods.addPasskey": signedIn,
  "signInMethods.renamePasskey": signedIn,
  "signInMethods.removePasskey": signedIn,
  "apiKeys.list": staff,
  "apiKeys.create": staff,
  "apiKeys.revoke": staff,
  "contact.send": everyone,
  "profile.mine": holders,
  "profile.save": holders,
  "profile.changeEmail": holders,
  "profile.cancelEmailChange": holders,
  "students.dashboard": students,
  "agents.counts": admins,
  "agents.list": admins,
  "agents.approve": admins,
  "agents.deny": admins,
  "agents.revoke": admins,
  "agents.resendVerification": admins,
  "agents.liftDenial": admins,
  "documents.ofStudent": signedIn,
  "documents.link": signedIn,
  "documents.review": staff,
  "documents.move": students,
  "documents.takeBack": students,
  "notifications.list": signedIn,
  "notifications.unread": signedIn,
  "notifications.markRead": signedIn,
  "notifications.markAllRead": signedIn,
  "notifications.unsubscribe": everyone,
  "notifications.mailSwitches": signedIn,
  "notifications.setMailSwitch": signedIn,
  "webhooks.mine": staff,
  "webhooks.add": staff,
  "webhooks.change": staff,
  "webhooks.pause": staff,
  "webhooks.resume": staff,
  "webhooks.rotateSecret": staff,
  "webhooks.remove": staff,
  "webhooks.sendTest": staff,
  "webhooks.deliveries": staff,
  "webhooks.sendAgain": staff,
  "students.list": staff,
  "students.details": staff,
  "students.identity": staff,
  "students.fileLink": staff,
  "students.agents": staff,
  "students.assign": staff,
  "students.setDisabled": admins,
  "students.handOver": admins,
  "students.waiting": ["approved"],
  "applications.submit": students,
  "applications.mine": students,
  "applications.ofStudent": signedIn,
  "applications.timeline": signedIn,
  "applications.move": signedIn,
  "shortlist.list": signedIn,
  "shortlist.add": signedIn,
  "shortlist.remove": signedIn,
  "auctions.list": everyone,
  "auctions.bids": everyone,
  "auctions.relation": signedIn,
  "auctions.bid": signedIn,
  "auctions.create": signedIn,
  "auctions.own": signedIn,
  "auctions.myBids": signedIn,
  "auctions.remove": signedIn,
  "audit.list": admins,
  "audit.lastCheck": admins,
  "accounts.list": admins,
  "accounts.signOut": admins,
  "jobs.failed": admins,
  "jobs.retry": admins,
  "overview.figures": admins,
  "retention.rules": admins,
  "retention.list": admins,
};

const emptyProfile = Object.fromEntries(
  profileFields.filter((field) => field !== "email").map((field) => [field, ""]),
);

const unknownPasskey = {
  id: "unknown",
  rawId: "unknown",
  type: "public-key",
  response: { clientDataJSON: "e30", authenticatorData: "", signature: "" },
};

/** Inputs that pass the contract, so that only the permission can refuse. */
const input: Record<string, object> = {
  "account.passwordLink": { token: "unknown" },
  "account.setPassword": { token: "unknown" },
  "account.verifyEmail": { token: "unknown" },
  "account.signOutDevice": { id: "unknown" },
  "account.signInWithPasskey": { passkey: unknownPasskey },
  "account.confirmWithPasskey": { passkey: unknownPasskey },
  "signInMethods.addPasskey": {
    passkey: { ...unknownPasskey, response: { clientDataJSON: "e30", attestationObject: "" } },
  },
  "signInMethods.renamePasskey": { id: "unknown", name: "Phone" },
  "signInMethods.removePasskey": { id: "unknown" },
  "apiKeys.revoke": { id: "unknown" },
  "profile.save": { version: 0, profile: emptyProfile },
  "agents.list": { tab: "pending" },
  "agents.approve": { id: "unknown" },
  "agents.deny": { id: "unknown" },
  "agents.revoke": { id: "unknown" },
  "agents.resendVerification": { id: "unknown" },
  "agents.liftDenial": { id: "unknown" },
  "documents.ofStudent": { studentId: "unknown" },
  "documents.link": { documentId: "unknown", mode: "view" },
  "documents.review": { documentId: "unknown", kind: "cv", decision: "approved", seen: "uploaded" },
  "documents.move": { documentId: "unknown", to: "cv" },
  "documents.takeBack": { documentId: "unknown" },
  "notifications.markRead": { ids: [1] },
  "notifications.markAllRead": { upTo: 1 },
  "notifications.unsubscribe": { token: "unknown" },
  "notifications.setMailSwitch": { kind: "applicationMoved", on: true },
  "students.details": { studentId: "unknown" },
  "students.identity": { studentId: "unknown" },
  "students.fileLink": { studentId: "unknown" },
  "students.assign": { studentId: "unknown", agentId: null, expectedAgentId: null },
  "students.setDisabled": { userId: "unknown", disabled: true },
  "students.handOver": { fromAgentId: "unknown", toAgentId: null },
  "applications.ofStudent": { studentId: "unknown" },
  "applications.timeline": { applicationId: "unknown" },
  "applications.move": { applicationId: "unknown", version: 1, to: "inReview" },
  "accounts.signOut": { userId: "unknown" },
  "jobs.retry": { id: "00000000-0000-4000-8000-000000000000" },
  "shortlist.remove": { id: "unknown" },
  "retention.list": { rule: "deniedAgents" },
  "auctions.bids": { productId: "00000000-0000-4000-8000-000000000000", below: 1 },
  "auctions.relation": { productId: "00000000-0000-4000-8000-000000000000" },
  "auctions.bid": {
    productId: "00000000-0000-4000-8000-000000000000",
    amount: 100,
    idempotencyKey: "00000000-0000-4000-8000-000000000000",
  },
  "auctions.remove": { productId: "00000000-0000-4000-8000-000000000000", reason: "Why not." },
};

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

function proceduresOf(tree: Parameters<typeof traverseContractProcedures>[0]["router"]): string[] {
  const found: string[] = [];
  traverseContractProcedures({ router: tree, path: [] }, ({ path }) => found.push(path.join(".")));
  return found.toSorted();
}

test("the table names every procedure of the contract, and the server implements just these", () => {
  expect(Object.keys(table).toSorted()).toEqual(proceduresOf(contract));
  expect(proceduresOf(router)).toEqual(proceduresOf(contract));
});

test("what counts as reading is in the contract", () => {
  expect([...reading].filter((procedure) => !(procedure in table))).toEqual([]);
});

test("an account changes things 120 times a minute, whatever they are; others and reading are not affected", async () => {
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
  // One caller is enough for all refusals, because they change nothing.
  let refused: Caller;
  beforeAll(async () => {
    refused = await caller(kind);
  });

  test.each(Object.entries(table))("%s", async (procedure, allowed) => {
    const who = allowed.includes(kind) ? await caller(kind) : refused;
    const { cookie } = who;
    const { code, status } = await who.call(procedure, input[procedure]);
    if (who === refused) {
      expect(code).toBe(without.has(kind) ? "unauthenticated" : "permission-denied");
      // The next refusal must be of the same session.
      expect(who.cookie).toBe(cookie);
    } else {
      expect(["unauthenticated", "permission-denied"]).not.toContain(code);
      expect(status).toBeLessThan(500);
    }
  });
});

describeObjectAccess({ rules: objects, inputs: input, wayfare: () => w });

test("the key of somebody else's bid is a new one, and says nothing of that bid", async () => {
  const student = () => person(w, "student", "active");
  const [seller, one, other] = [await student(), await student(), await student()];
  const key = randomUUID();
  const lots = [await product(w, seller), await product(w, seller)] as const;
  expect(await bid(one.caller, lots[0], 200, key)).toMatchObject({ status: 200, body: { number: 1 } });
  expect(await bid(other.caller, lots[0], 300, key)).toMatchObject({ status: 200, body: { number: 2 } });
  expect(await bid(other.caller, lots[1], 200, key)).toMatchObject({ code: "already-exists" });
  expect(await bid(one.caller, lots[0], 200, key)).toMatchObject({ status: 200, body: { number: 1 } });
});
