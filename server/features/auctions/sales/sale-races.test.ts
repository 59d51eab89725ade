import { and, asc, desc, eq, isNotNull } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Answer } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { eventsOf, fellThrough, storedStrikes } from "#tests/support/sales.ts";
import { openStream, type Stream } from "#tests/support/stream.ts";
import { type SoldByTraders, soldByTraders } from "#tests/support/traders.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionProduct } from "../tables.ts";
import { processDueSales } from "./due-sales.ts";
import { sale, secondChance } from "./tables.ts";

let w: Wayfare;
let second: Wayfare;
/** More admins than two, because an account may make only 120 changes a minute. */
let admins: Person[];
let [admin, office]: [Person, Person] = [] as never;
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
  admins = await Promise.all(Array.from({ length: 10 }, () => person(w, "admin", "active")));
});
beforeEach(() => {
  // The two admins who acted longest ago act next.
  [admin, office] = admins.splice(0, 2) as [Person, Person];
  admins.push(admin, office);
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

/** A sale with the people who may act on it. `other` bid less than the buyer. */
type Case = SoldByTraders & { offerId: string };
/** An act on a node; null if it isn't a call and has no answer. */
type Act = (deal: Case, node: Wayfare) => Promise<Answer | null>;

const saying =
  (who: (deal: Case) => Person, act: string, more: object = {}): Act =>
  (deal, node) =>
    who(deal)
      .caller.on(node.app)
      .call(`sales.${act}`, { saleId: deal.saleId, ...more });
const seller = (deal: Case) => deal.seller;
const buyer = (deal: Case) => deal.buyer;
const other = (deal: Case) => deal.other;
const decision = { end: "fellThrough", reason: "The bank says so." };
const shutOut =
  (who: (deal: Case) => Person): Act =>
  (deal, node) =>
    admin.caller.on(node.app).call("students.setDisabled", { userId: who(deal).id, disabled: true });

const acts = {
  "the seller's handover": saying(seller, "handOver"),
  "the buyer's handover": saying(buyer, "handOver"),
  "the seller's report": saying(seller, "report", { claim: "notPaid" }),
  "the buyer's report": saying(buyer, "report", { claim: "noAnswer" }),
  "the buyer's answer that it's done": saying(buyer, "answer", { answer: "done" }),
  "the buyer's answer that it will be": saying(buyer, "answer", { answer: "later", days: 2 }),
  "the buyer's answer that it's untrue": saying(buyer, "answer", { answer: "untrue" }),
  "the seller's answer that it's done": saying(seller, "answer", { answer: "done" }),
  "the seller's answer that it will be": saying(seller, "answer", { answer: "later", days: 2 }),
  "the seller's answer that it's untrue": saying(seller, "answer", { answer: "untrue" }),
  "the end of the time": async ({ saleId }, { services }) => {
    await w.services.database.db
      .update(sale)
      .set({ dueAt: new Date(Date.now() - 1_000) })
      .where(and(eq(sale.id, saleId), isNotNull(sale.dueAt)));
    await processDueSales(services);
    return null;
  },
  "the seller's disabling": shutOut(seller),
  "the buyer's disabling": shutOut(buyer),
  "a decision against the buyer": saying(() => admin, "decide", { ...decision, fault: "reported" }),
  "a decision against the seller": saying(() => office, "decide", { ...decision, fault: "reporter" }),
  "a second chance": ({ seller: { caller }, productId }, { app }) =>
    caller.on(app).call("sales.offer", { productId, amount: 10_000 }),
  "its withdrawal": ({ seller: { caller }, offerId }, { app }) =>
    caller.on(app).call("sales.withdrawOffer", { offerId }),
  "its acceptance": ({ other: { caller }, offerId }, { app }) =>
    caller.on(app).call("sales.answerOffer", { offerId, accept: true }),
  "its refusal": ({ other: { caller }, offerId }, { app }) =>
    caller.on(app).call("sales.answerOffer", { offerId, accept: false }),
  "the end of its time": async ({ offerId }, { services }) => {
    await w.services.database.db
      .update(secondChance)
      .set({ until: new Date(Date.now() - 1_000) })
      .where(and(eq(secondChance.id, offerId), eq(secondChance.state, "open")));
    await processDueSales(services);
    return null;
  },
  "the next bidder's disabling": shutOut(other),
} satisfies Record<string, Act>;
type ActName = keyof typeof acts;

const fresh = async (): Promise<Case> => ({ ...(await soldByTraders(w)), offerId: "" });
async function after(...names: ActName[]): Promise<Case> {
  const deal = await fresh();
  for (const name of names) await acts[name](deal, w);
  return deal;
}
async function fallen(): Promise<Case> {
  const deal = await fresh();
  await fellThrough(w, deal.saleId);
  return deal;
}
async function offered(): Promise<Case> {
  const deal = await fallen();
  await acts["a second chance"](deal, w);
  const [offer] = await offersOf(deal);
  return { ...deal, offerId: offer?.id ?? "" };
}

/** `counterpart` deals with the seller in this state: the buyer by default. */
type Stage = {
  reach: () => Promise<Case>;
  acts: readonly ActName[];
  counterpart?: (deal: Case) => Person;
};

const handovers = ["the seller's handover", "the buyer's handover"] as const;
const reports = ["the seller's report", "the buyer's report"] as const;
const disablings = ["the seller's disabling", "the buyer's disabling"] as const;
const buyersAnswers = [
  "the buyer's answer that it's done",
  "the buyer's answer that it will be",
  "the buyer's answer that it's untrue",
] as const;

/** The states of a sale, each with the acts that can be tried in it. */
const stages: Record<string, Stage> = {
  "that awaits its handover": {
    reach: fresh,
    acts: [...handovers, ...reports, "the buyer's answer that it's done", ...disablings],
  },
  "whose seller has handed it over": {
    reach: () => after("the seller's handover"),
    acts: ["the buyer's handover", "the buyer's report", "the end of the time", ...disablings],
  },
  "whose buyer has it": {
    reach: () => after("the buyer's handover"),
    acts: ["the seller's handover", "the seller's report", "the end of the time", ...disablings],
  },
  "that was just handed over": {
    reach: () => after("the seller's handover", "the buyer's handover"),
    acts: ["the seller's handover", ...reports, "the end of the time", "the seller's disabling"],
  },
  "that its seller has reported": {
    reach: () => after("the seller's report"),
    acts: [...handovers, "the buyer's report", ...buyersAnswers, "the end of the time", ...disablings],
  },
  "that its buyer has reported": {
    reach: () => after("the buyer's report"),
    acts: [
      ...handovers,
      "the seller's report",
      "the seller's answer that it's done",
      "the seller's answer that it will be",
      "the seller's answer that it's untrue",
      "the end of the time",
      ...disablings,
    ],
  },
  "whose buyer has promised a day": {
    reach: () => after("the seller's report", "the buyer's answer that it will be"),
    acts: [
      ...handovers,
      "the buyer's answer that it's done",
      "the buyer's answer that it's untrue",
      "the end of the time",
      ...disablings,
    ],
  },
  "that is disputed": {
    reach: () => after("the seller's report", "the buyer's answer that it's untrue"),
    acts: [
      "the seller's handover",
      "the buyer's answer that it's done",
      "a decision against the buyer",
      "a decision against the seller",
      ...disablings,
    ],
  },
  "that fell through": {
    reach: fallen,
    acts: [
      "a second chance",
      "the buyer's handover",
      "the seller's disabling",
      "the next bidder's disabling",
    ],
    counterpart: other,
  },
  "that is offered to the next bidder": {
    reach: offered,
    acts: [
      "a second chance",
      "its withdrawal",
      "its acceptance",
      "its refusal",
      "the end of its time",
      "the buyer's handover",
      "the seller's disabling",
      "the next bidder's disabling",
    ],
    counterpart: other,
  },
};

const offersOf = ({ productId }: Case) =>
  w.services.database.db
    .select()
    .from(secondChance)
    .where(eq(secondChance.productId, productId))
    .orderBy(desc(secondChance.at));

const refusals = new Set(["failed-precondition", "permission-denied", "unauthenticated", "not-found"]);
const outcomeOf = (answer: Answer | null) => (answer === null || answer.status === 200 ? "done" : "refused");

/** Returns the outcome of two acts, without times. */
async function result(deal: Case, answers: readonly (Answer | null)[]): Promise<string> {
  const { db } = w.services.database;
  const sales = await db
    .select()
    .from(sale)
    .where(eq(sale.productId, deal.productId))
    .orderBy(asc(sale.madeAt));
  const [product] = await db
    .select({ winnerId: auctionProduct.winnerId, winningBid: auctionProduct.winningBid })
    .from(auctionProduct)
    .where(eq(auctionProduct.id, deal.productId));
  const strikes = async (who: Person) => (await storedStrikes(w, who)).length;
  return JSON.stringify({
    answers: answers.map(outcomeOf),
    sales: sales.map(({ state, kind, fault, sellerSaidAt, buyerSaidAt, ...row }) => ({
      state,
      kind,
      fault,
      said: [sellerSaidAt !== null, buyerSaidAt !== null],
      report: [row.reportedBy, row.claim, row.answer],
      waits: row.dueAt !== null,
      hasEnded: row.endedAt !== null,
    })),
    events: await eventsOf(w, deal.saleId),
    offers: (await offersOf(deal)).map(({ state }) => state),
    isSoldToOther: product?.winnerId === deal.other.id,
    price: product?.winningBid,
    strikes: [await strikes(deal.seller), await strikes(deal.buyer), await strikes(deal.other)],
  });
}

/** Waits until an open page is told to reload its sales, or its session has ended. */
async function untilReload(stream: Stream): Promise<void> {
  for (;;) {
    const event = await stream.next();
    if (event === "notifications" || event === "signed-out" || event === null) return;
  }
}

async function inOrder(reach: () => Promise<Case>, names: readonly [ActName, ActName]): Promise<string> {
  const deal = await reach();
  const [one, another] = names;
  const first = await acts[one](deal, w);
  return await result(deal, [first, await acts[another](deal, second)]);
}

/** Returns every pair of acts, including each act with itself. */
const pairsOf = (names: readonly ActName[]): [ActName, ActName][] =>
  names.flatMap((one, at) => names.slice(at).map((another): [ActName, ActName] => [one, another]));

describe.each(Object.entries(stages))("two concurrent acts from two nodes on a sale %s:", (_, stage) => {
  const { reach, acts: names, counterpart = buyer } = stage;
  test.each(pairsOf(names))(
    "with %s and %s, one comes first, the other sees its result, and both sides are notified",
    async (one, another) => {
      const forwards = await inOrder(reach, [one, another]);
      const deal = await reach();
      const before = await result(deal, []);
      // Each side listens on a different node from the one it acts on.
      const streams = await Promise.all([
        openStream(seller(deal).caller.on(second.app), "notifications"),
        openStream(counterpart(deal).caller.on(w.app), "notifications"),
      ]);
      const answers = await Promise.all([acts[one](deal, w), acts[another](deal, second)]);
      const concurrent = await result(deal, answers);
      if ((await result(deal, [])) !== before) await Promise.all(streams.map(untilReload));
      await Promise.all(streams.map((stream) => stream.leave()));
      if (concurrent !== forwards) {
        const backwards = JSON.parse(await inOrder(reach, [another, one]));
        expect(JSON.parse(concurrent)).toEqual({ ...backwards, answers: backwards.answers.toReversed() });
      }
      for (const answer of answers)
        if (answer && answer.status !== 200) {
          expect(refusals).toContain(answer.code);
          expect(answer.message).toMatch(/\w.*\./);
        }
    },
  );
});
