import { randomUUID } from "node:crypto";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import type { Caller } from "#tests/support/caller.ts";
import { createStudents, type Fixture } from "./fixture.ts";
import { type Figure, milliseconds, pair } from "./measure.ts";

/** Maximum milliseconds between the medians for known and unknown addresses. */
const maxDifference = 5;
const invitations = 1000;

/** Measures whether the time of an invitation's answer reveals if its address has an account. */
export async function invitationTimes(fixture: Fixture): Promise<Figure[]> {
  const emails = await createStudents(fixture, invitations);
  const hash = await fixture.services.passwords.hash(randomUUID());
  /** Number of people that each agent invites: fewer than allowed in a day or a minute. */
  const each = 40;
  const callers: Caller[] = [];
  for (let number = 0; number <= (2 * invitations) / each; number++) {
    const inviter = { role: "agent", status: "approved", email: `${randomUUID()}@example.org` } as const;
    const { services } = fixture;
    const cookie = await services.database.transaction(async (tx) =>
      services.sessions.open(tx, await createAccount(tx, { ...inviter, firstName: "Kofi" }, hash)),
    );
    const caller = fixture.caller(`10.1.0.${number}`);
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    caller.cookies.set(name, value);
    callers.push(caller);
  }
  let count = 0;
  async function invite(email: string): Promise<void> {
    const caller = callers[Math.floor(count++ / each)];
    const answer = await caller?.call("invitations.send", { firstName: "Efua", email });
    if (answer?.status !== 200) throw new Error(`an invitation was answered with ${answer?.code}`);
  }
  const [member, stranger] = await pair(
    invitations,
    (at) => invite(emails[at] ?? ""),
    () => invite(`${randomUUID()}@example.org`),
  );
  const value = Math.abs(member - stranger);
  const detail = `known ${milliseconds(member)}, unknown ${milliseconds(stranger)}`;
  const limit = `at most ${maxDifference} ms`;
  return [
    { name: "invitation, known and unknown apart", value, limit, holds: value <= maxDifference, detail },
  ];
}
