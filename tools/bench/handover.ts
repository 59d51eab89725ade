import { randomUUID } from "node:crypto";
import type { SaleView } from "#contract/sale-views.ts";
import { otherSide, type SaleSide } from "#domain/sale.ts";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import type { Caller } from "#tests/support/caller.ts";
import { soldItem } from "#tests/support/sales.ts";
import { openStream } from "#tests/support/stream.ts";
import type { Fixture, Node } from "./fixture.ts";
import { type Figure, median, milliseconds, p95, time } from "./measure.ts";

const [rounds, within] = [100, 1_000];

/** Creates a user who is signed in at a node. */
async function signedIn({ services, caller }: Node) {
  const signedInCaller = caller();
  const id = await services.database.transaction(async (tx) => {
    const account = { role: "student", status: "active", email: `${randomUUID()}@example.org` } as const;
    const userId = await createAccount(tx, account, "no password");
    const [cookie = ""] = (await services.sessions.open(tx, userId)).split(";", 1);
    const [name = "", value = ""] = cookie.split("=", 2);
    signedInCaller.cookies.set(name, value);
    return userId;
  });
  return { id, caller: signedInCaller };
}

type Act = {
  name: string;
  by: SaleSide;
  press: (api: Caller["api"], saleId: string) => Promise<unknown>;
  isShown: (sale: SaleView) => boolean;
};

/** Acts that follow one another on a sale. */
const acts: readonly Act[] = [
  {
    name: "reported",
    by: "buyer",
    press: ({ sales }, saleId) => sales.report({ saleId, claim: "noAnswer" }),
    isShown: ({ report }) => report !== null,
  },
  {
    name: "answered",
    by: "seller",
    press: ({ sales }, saleId) => sales.answer({ saleId, answer: "done" }),
    isShown: ({ report }) => report?.answer === "done",
  },
  {
    name: "handed over",
    by: "seller",
    press: ({ sales }, saleId) => sales.handOver({ saleId }),
    isShown: ({ sellerSaidAt }) => sellerSaidAt !== null,
  },
];

/** Returns the milliseconds from one side's press at one node until the other's page shows it through another node. */
async function timeAct(
  { by, press, isShown }: Act,
  sides: Record<SaleSide, Caller>,
  { productId, saleId }: { productId: string; saleId: string },
): Promise<number> {
  const other = sides[otherSide(by)];
  const stream = await openStream(other, "notifications");
  const took = await time(async () => {
    const pressed = press(sides[by].api, saleId);
    // Events of the previous act may arrive late.
    for (let isThere = false; !isThere; ) {
      await stream.next();
      const { sale } = await other.api.sales.ofProduct({ productId });
      isThere = sale !== null && isShown(sale);
    }
    await pressed;
  });
  await stream.leave();
  return took;
}

/** Measures how long a report, its answer and a handover take to the other side's page. */
export async function handover(fixture: Fixture): Promise<Figure[]> {
  const times = acts.map((act): { act: Act; taken: number[] } => ({ act, taken: [] }));
  for (let round = 0; round < rounds; round++) {
    const [seller, buyer] = [await signedIn(fixture), await signedIn(fixture.second)];
    const sold = await soldItem(fixture, { seller, buyer });
    const sides = { seller: seller.caller, buyer: buyer.caller };
    for (const { act, taken } of times) taken.push(await timeAct(act, sides, sold));
  }
  return times.map(({ act: { name }, taken }) => {
    const value = p95(taken);
    return {
      name: `${name} → other's page p95, ms`,
      value,
      limit: `at most ${within}`,
      holds: value <= within,
      detail: `${rounds} sales, median ${milliseconds(median(taken))}`,
    };
  });
}
