import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { questionLimits, questionMessages } from "#domain/question.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { closed, endAt, product } from "#tests/support/auctions.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "student", "active");
});
afterAll(() => w.stop());

const student = () => person(w, "student", "active");
const ask = (who: Person, productId: string, text: string) =>
  who.caller.call("auctions.ask", { productId, text });
const answer = (who: Person, questionId: string, text: string) =>
  who.caller.call("auctions.answer", { questionId, answer: text });
const publicOf = async (productId: string) =>
  (await new Caller(w.app).api.auctions.questions({ productId })).questions;
const openFor = async (who: Person, productId: string) =>
  (await who.caller.api.auctions.openQuestions({ productId })).questions;
const notificationsOf = ({ id }: Person) =>
  w.services.database.db
    .select({ kind: notification.kind, about: notification.about, ids: notification.ids })
    .from(notification)
    .where(eq(notification.userId, id));

test("only the asker and the seller see a question until it is answered, then everyone sees it with a masked name", async () => {
  const [ada, bob, id] = [await student(), await student(), await product(w, seller)];
  const questionId = textIn((await ask(ada, id, " Does it fold? ")).body, "id");
  expect(await publicOf(id)).toEqual([]);
  expect(await openFor(bob, id)).toEqual([]);
  expect(await openFor(ada, id)).toMatchObject([{ id: questionId, text: "Does it fold?", isOwn: true }]);
  expect(await openFor(seller, id)).toMatchObject([{ asker: "A***i", isOwn: false }]);
  const about = { product: "Walnut writing desk" };
  const ids = { productId: id, questionId };
  expect(await notificationsOf(seller)).toEqual([{ kind: "questionAsked", about, ids }]);

  for (const other of [ada, bob])
    expect(await answer(other, questionId, "Yes.")).toMatchObject({ code: "not-found" });
  const version = (await w.services.products.read(id))?.version ?? 0;
  expect((await answer(seller, questionId, " Yes, it does. ")).status).toBe(200);
  expect(await publicOf(id)).toMatchObject([
    { id: questionId, asker: "A***i", text: "Does it fold?", answer: "Yes, it does." },
  ]);
  expect(await openFor(seller, id)).toEqual([]);
  expect(await notificationsOf(ada)).toEqual([{ kind: "questionAnswered", about, ids }]);
  expect(await w.services.products.read(id)).toMatchObject({ answered: 1, version: version + 1 });
  expect(await answer(seller, questionId, "No.")).toMatchObject({ message: questionMessages.answered });
});

test("a question is refused on an own or ended product, without text, or with more than 500 characters", async () => {
  const [ada, id] = [await student(), await product(w, seller)];
  expect(await ask(seller, id, "Hello?")).toMatchObject({ message: questionMessages.ownProduct });
  expect(await ask(ada, id, " ")).toMatchObject({ code: "form/incomplete" });
  expect(await ask(ada, id, "x".repeat(501))).toMatchObject({ code: "form/incomplete" });
  const { body } = await ask(ada, id, "x".repeat(questionLimits.text));
  await endAt(w, id, new Date());
  expect(await ask(ada, id, "Hello?")).toMatchObject({ message: questionMessages.ended });
  expect(await answer(seller, textIn(body, "id"), "Yes.")).toMatchObject({ message: questionMessages.ended });
  const over = await product(w, seller, closed);
  expect(await ask(ada, over, "Hello?")).toMatchObject({ message: questionMessages.ended });
});

test("an account can ask 20 questions a day, and refused ones don't count", async () => {
  const [ada, id] = [await student(), await product(w, seller)];
  const over = await product(w, seller, closed);
  expect((await ask(ada, over, "Hello?")).code).toBe("failed-precondition");
  for (const at of Array(questionLimits.aDay).keys())
    expect((await ask(ada, id, `Question ${at}`)).status).toBe(200);
  expect((await ask(ada, id, "One more?")).code).toBe("resource-exhausted");
});

test("an admin hides a question with its answer, for a reason", async () => {
  const [ada, admin, id] = [await student(), await person(w, "admin", "active"), await product(w, seller)];
  const questionId = textIn((await ask(ada, id, "What is your number?")).body, "id");
  await answer(seller, questionId, "It is 17.");
  const hide = (reason: string) => admin.caller.call("auctions.hideQuestion", { questionId, reason });
  expect((await hide(" ")).code).toBe("form/incomplete");
  expect((await hide("It has a number.")).status).toBe(200);
  expect(await publicOf(id)).toEqual([]);
  expect(await w.services.products.read(id)).toMatchObject({ answered: 0 });
  expect((await hide("Again.")).code).toBe("not-found");
});
