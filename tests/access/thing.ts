import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { user } from "#server/features/account/tables.ts";
import { textIn } from "#tests/support/caller.ts";
import { assign } from "#tests/support/documents.ts";
import { fullProfile, type Person, person } from "#tests/support/factories.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";

/** A thing with an owner. `words` occur in what is stored about it and its people, and nowhere else. */
export type Thing = { id: string | number; owner?: Person; assignedAgent?: Person; words: readonly string[] };

/** Returns a text that occurs nowhere else. */
export const word = () => `canary-${randomBytes(6).toString("hex")}`;

/** Creates a student with an agent, and a planted word in each of the student's fields. */
export async function student(
  w: Wayfare,
): Promise<Thing & { id: string; owner: Person; assignedAgent: Person }> {
  const [owner, assignedAgent] = await Promise.all([
    person(w, "student", "active"),
    person(w, "agent", "approved"),
  ]);
  await assign(w, owner.id, assignedAgent.id);
  const [name, place] = [word(), word()];
  const profile = { ...fullProfile, lastName: name, addressLine1: place, idNumber: place };
  await owner.caller.call("profile.save", { version: 0, profile });
  return { id: owner.id, owner, assignedAgent, words: [name, place, owner.email, assignedAgent.email] };
}

export async function agent(w: Wayfare, status: "approved" | "pending"): Promise<Thing> {
  const owner = await person(w, "agent", status);
  const agency = word();
  await w.services.database.db.update(user).set({ agency }).where(eq(user.id, owner.id));
  return { id: owner.id, owner, words: [agency, owner.email] };
}

/** Returns the id in an answer. */
export const idIn = (body: unknown): string => {
  const id = textIn(body, "id");
  if (id === "") throw new Error(`there is no id in ${JSON.stringify(body)}`);
  return id;
};
