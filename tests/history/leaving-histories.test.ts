import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasAccess, isBound } from "#domain/account.ts";
import { user } from "#server/features/account/tables.ts";
import { settleDue } from "#server/features/auctions/settlement/closer.ts";
import { auctionProduct } from "#server/features/auctions/tables.ts";
import { eraseDueAccounts } from "#server/features/privacy/erase-account.ts";
import { bid, bidUpTo, endAt, product } from "#tests/support/auctions.ts";
import { goodPassword, type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { type AuctionWorld, type Sale, type Step, seller, startingBid, wrongHistory } from "./leaving.ts";
import { LeavingModel, type Rules } from "./leaving-model.ts";

const hour = 3_600_000;

/** Number of histories in the nightly tests; `npm run test:load -- binding` runs more. */
const runs = process.env["HISTORIES"] === "whole" ? 500 : 20;

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
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
    if (step.kind === "lastHours") {
      await endAt(w, this.#id, new Date(Date.now() + 11 * hour));
      return true;
    }
    const who = this.#people[step.who];
    if (!who) return false;
    return (await this.#ask(who, step)).status === 200;
  }

  #ask(who: Person, step: Extract<Step, { who: number }>) {
    switch (step.kind) {
      case "bid": {
        const send = step.form === "exact" ? bid : bidUpTo;
        return send(who.caller, this.#id, step.amount / 100);
      }
      case "withdrawSlip":
        return who.caller.call("sales.withdrawBids", { productId: this.#id, instead: step.instead });
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

  /** Erases the accounts that are due to leave, as if their waiting period were over. */
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
    const { db } = w.services.database;
    // An item without bids is deleted with its seller's account.
    const [item] = await until(async () => {
      const rows = await db.select().from(auctionProduct).where(eq(auctionProduct.id, this.#id));
      return rows.every(({ state }) => state !== "open") && rows;
    });
    if (item?.state !== "sold" || item.winningBid === null) return null;
    return { winner: this.#people.findIndex(({ id }) => id === item.winnerId), price: item.winningBid };
  }
}

async function app(): Promise<App> {
  const student = () => person(w, "student", "active");
  const people: Person[] = [];
  while (people.length < seller) people.push(await student());
  const owner = await student();
  return new App(await product(w, owner, { startingBid }), [...people, owner]);
}

test("no account deletion lowers a price in thousands of random histories of the rules alone", async () => {
  expect(await wrongHistory(() => new LeavingModel(), 5_000)).toBeNull();
});

test(`no account deletion lowers a price in ${runs} random histories through the application`, {
  timeout: hour,
}, async () => {
  expect(await wrongHistory(app, runs)).toBeNull();
});

const mistakes: Record<string, Partial<Rules>> = {
  "counts no bid of a person who leaves": { isBound: hasAccess },
  "ends the limit of a leader who leaves": { keepsLimit: hasAccess },
  "goes on bidding for a leader who is shut out": { keepsLimit: () => true },
  "forgets those who leave when a slip is withdrawn": {
    isDecidedAgain: (account) => account !== null && hasAccess(account),
  },
  "forgets those who are shut out when a slip is withdrawn": {
    isDecidedAgain: (account) => account !== null && isBound(account),
  },
  "takes an item off sale whose bids hold a seller who leaves": { holdsSeller: () => false },
  "leaves an item on sale whose seller leaves before its last hours": {
    holdsSeller: ({ bidCount }) => bidCount > 0,
  },
  "leaves an item without bids on sale whose seller leaves": { holdsSeller: () => true },
};

describe("random histories catch an implementation that", () => {
  test.each(Object.entries(mistakes))("%s", async (_, mistake) => {
    expect(await wrongHistory(() => new LeavingModel(mistake), 5_000)).not.toBeNull();
  });
});
