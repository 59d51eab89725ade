import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { settleDue } from "#server/features/auctions/settlement/closer.ts";
import { eraseDueAccounts } from "#server/features/privacy/erase-account.ts";
import { bid, endAt, product, storedProduct } from "#tests/support/auctions.ts";
import { goodPassword, type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { type AuctionWorld, bidders, type Sale, type Step, startingBid, wrongHistory } from "./leaving.ts";
import { LeavingModel } from "./leaving-model.ts";

let w: Wayfare;
let boss: Person;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  [boss, seller] = [await person(w, "admin", "active"), await person(w, "student", "active")];
});
afterAll(() => w.stop());

/** The application on a real database. */
class App implements AuctionWorld {
  readonly #id: string;
  readonly #people: readonly Person[];

  constructor(id: string, people: readonly Person[]) {
    [this.#id, this.#people] = [id, people];
  }

  async take(step: Step): Promise<boolean> {
    if (step.kind === "night") return await this.#night();
    const who = this.#people[step.who];
    if (!who) return false;
    return (await this.#ask(who, step)).status === 200;
  }

  #ask(who: Person, step: Exclude<Step, { kind: "night" }>) {
    switch (step.kind) {
      case "bid":
        return bid(who.caller, this.#id, step.amount / 100);
      case "askForDeletion":
        return who.caller.call("account.requestDeletion");
      case "logIn":
        return who.caller.call("account.signIn", { email: who.email, password: goodPassword });
      case "disable":
      case "enable":
        return boss.caller.call("students.setDisabled", {
          userId: who.id,
          disabled: step.kind === "disable",
        });
    }
  }

  /** Erases those of these people who are leaving, as if their waiting period were over. */
  async #night(): Promise<boolean> {
    const ids = this.#people.map(({ id }) => id);
    const { db } = w.services.database;
    const leaving = await db.select().from(user).where(inArray(user.id, ids));
    for (const { id, deletionDueAt } of leaving)
      if (deletionDueAt)
        await db
          .update(user)
          .set({ deletionDueAt: new Date(0) })
          .where(eq(user.id, id));
    await eraseDueAccounts(w.services);
    return true;
  }

  async close(): Promise<Sale | null> {
    await endAt(w, this.#id, new Date(Date.now() - 1));
    await settleDue(w.services);
    const { state, winnerId, winningBid } = await until(async () => {
      const row = await storedProduct(w, this.#id);
      return row.state !== "open" && row;
    });
    if (state !== "sold" || winningBid === null) return null;
    return { winner: this.#people.findIndex(({ id }) => id === winnerId), price: winningBid };
  }
}

async function app(): Promise<App> {
  const people: Person[] = [];
  while (people.length < bidders) people.push(await person(w, "student", "active"));
  return new App(await product(w, seller, { startingBid }), people);
}

test("no deletion lowers a price, in thousands of random histories of the rules alone", async () => {
  expect(await wrongHistory(() => new LeavingModel(), 5_000)).toBeNull();
});

test("no deletion lowers a price, in random histories through the application", async () => {
  expect(await wrongHistory(app, 20)).toBeNull();
});
