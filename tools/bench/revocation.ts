import { randomUUID } from "node:crypto";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import { type Fixture, password } from "./fixture.ts";
import { type Figure, time } from "./measure.ts";

const rounds = 20;

/** Measures the slowest milliseconds from a revocation's answer until the other node refuses the agent too. */
export async function revocation(fixture: Fixture): Promise<Figure[]> {
  const { passwords, database } = fixture.services;
  const hash = await passwords.hash(password);
  const create = (role: "admin" | "agent", status: "active" | "approved", email: string) =>
    database.transaction((tx) => createAccount(tx, { role, status, email }, hash));
  const [adminEmail, boss] = [`${randomUUID()}@example.org`, fixture.caller()];
  await create("admin", "active", adminEmail);
  await boss.call("account.signIn", { email: adminEmail, password });

  const waits: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const email = `${randomUUID()}@example.org`;
    const id = await create("agent", "approved", email);
    const agent = fixture.second.caller();
    await agent.call("account.signIn", { email, password });
    const isIn = async () => (await fixture.second.services.sessions.check(agent.cookie)) !== null;
    if (!(await isIn())) throw new Error("the agent was not signed in");
    await boss.call("agents.revoke", { id });
    waits.push(
      await time(async () => {
        while (await isIn()) await new Promise((resolve) => setImmediate(resolve));
      }),
    );
  }
  const value = Math.max(...waits);
  const detail = `slowest of ${rounds}`;
  return [
    { name: "revoked on another node, ms", value, limit: "at most 1000", holds: value <= 1000, detail },
  ];
}
