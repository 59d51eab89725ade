import { randomUUID } from "node:crypto";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import { soldItem } from "#tests/support/sales.ts";
import { openStream } from "#tests/support/stream.ts";
import type { Fixture, Node } from "./fixture.ts";
import { type Figure, median, milliseconds, p95, time } from "./measure.ts";

const [rounds, within] = [100, 1_000];

/** Creates somebody who is signed in at a node. */
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

/** Milliseconds from the seller's press on "Handed over" at one node until the buyer's page has it over another node. */
export async function handover(fixture: Fixture): Promise<Figure[]> {
  const times: number[] = [];
  while (times.length < rounds) {
    const [seller, buyer] = [await signedIn(fixture), await signedIn(fixture.second)];
    const { productId, saleId } = await soldItem(fixture, { seller, buyer });
    const stream = await openStream(buyer.caller, "notifications");
    times.push(
      await time(async () => {
        const pressed = seller.caller.call("sales.handOver", { saleId });
        await stream.next();
        const { body } = await buyer.caller.call("sales.ofProduct", { productId });
        if (!Object(body).sale?.sellerSaidAt) throw new Error("the buyer's page was told too early");
        await pressed;
      }),
    );
    await stream.leave();
  }
  const value = p95(times);
  const detail = `${rounds} sales, median ${milliseconds(median(times))}`;
  return [
    {
      name: "handed over → other's page p95, ms",
      value,
      limit: `at most ${within}`,
      holds: value <= within,
      detail,
    },
  ];
}
