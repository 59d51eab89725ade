import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NotificationKind } from "#domain/notification.ts";
import { product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { asNotification } from "#tests/support/notification-input.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { matchItem } from "../auctions/watching/match-item.ts";
import { notifyOfHits } from "../auctions/watching/notify-of-hits.ts";
import { notify } from "./commands.ts";
import { notificationMail } from "./mails.ts";
import { notification } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const student = () => person(w, "student", "active");

/** Returns the mail about one notification. */
async function mailTo(who: Person, kind: NotificationKind) {
  const entry = asNotification({ userId: who.id, kind, eventKey: kind, about: {}, ids: {}, path: "/" });
  await w.services.database.transaction((tx) => notify(w.services, tx, entry));
  return await mailOf(who);
}
async function mailOf({ id }: Person) {
  const [entry] = await w.services.database.db
    .select({ mailId: notification.mailId })
    .from(notification)
    .where(eq(notification.userId, id));
  return await notificationMail.write(w.services, { mailId: entry?.mailId ?? "" });
}
const tokenIn = (mail: { unsubscribe?: string } | null | undefined) =>
  new URL(mail?.unsubscribe ?? "").searchParams.get("token") ?? "";
const switchesOff = async (who: Person) => {
  const { body } = await who.caller.call("notifications.mailSwitches");
  const { switches } = body as { switches: { kind: string; on: boolean }[] };
  return switches.filter(({ on }) => !on).map(({ kind }) => kind);
};
const post = (token: string) =>
  new Caller(w.app).request(`/unsubscribe?token=${encodeURIComponent(token)}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://mail.example" },
    body: "List-Unsubscribe=One-Click",
  });

test("a mail program's button switches the mail's kinds off without login, and may be pressed twice", async () => {
  const [ada, bea] = [await student(), await student()];
  const mail = await mailTo(ada, "documentApproved");
  await mailTo(bea, "documentApproved");
  const token = tokenIn(mail);
  expect((await post(token)).status).toBe(200);
  expect((await post(token)).status).toBe(200);
  expect(await switchesOff(ada)).toEqual(["documentApproved", "documentRejected"]);
  expect(await switchesOff(bea)).toEqual([]);
});

test("the page's button switches the mail's kinds off", async () => {
  const ada = await student();
  const mail = await mailTo(ada, "outbid");
  const answer = await new Caller(w.app).call("notifications.unsubscribe", { token: tokenIn(mail) });
  expect(answer.body).toEqual({ kinds: ["outbid"] });
  expect(await switchesOff(ada)).toEqual(["outbid"]);
});

test("the link in the mail of a saved search switches such mails off without login", async () => {
  const [ada, seller] = [await student(), await student()];
  const search = { name: "Mine", filters: { search: "ocarina" }, mail: "daily" };
  expect((await ada.caller.call("watching.saveSearch", search)).status).toBe(200);
  await matchItem(w.services.database, await product(w, seller, { productName: "Old ocarina" }));
  await notifyOfHits(w.services);
  const mail = await mailOf(ada);
  expect(mail?.subject).toBe("New for “Mine”: Old ocarina");
  expect((await post(tokenIn(mail))).status).toBe(200);
  expect(await switchesOff(ada)).toEqual(["searchHits"]);
  expect(await mailOf(ada)).toBeNull();
});

test("an invalid link does nothing, and one of a deleted account does no harm", async () => {
  const ada = await student();
  const mail = await mailTo(ada, "outbid");
  const [text = "", signature = ""] = tokenIn(mail).split(".");
  const other = Buffer.from(JSON.stringify([ada.id, ["auctionWon"]])).toString("base64url");
  for (const token of ["", "x", ".", text, `${text}.`, `${other}.${signature}`]) {
    expect((await post(token)).status).toBe(400);
    const answer = await new Caller(w.app).call("notifications.unsubscribe", { token });
    expect(answer.code).toBe("auth/invalid-action-code");
  }
  expect(await switchesOff(ada)).toEqual([]);
  await w.services.database.db.delete(user).where(eq(user.id, ada.id));
  expect((await post(tokenIn(mail))).status).toBe(200);
});
