import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Role, Status } from "#domain/account.ts";
import type { Profile } from "#domain/profile.ts";
import type { SignUpForm } from "#domain/sign-up.ts";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import { user } from "#server/features/account/tables.ts";
import type { Passwords } from "#server/features/sign-in/passwords/passwords.ts";
import { Caller } from "./caller.ts";
import type { Wayfare } from "./wayfare.ts";

export const goodPassword = "correct horse battery";
let number = 0;
const next = () => `${++number}-${randomUUID().slice(0, 8)}`;
export const freshEmail = (who = "person") => `${who}-${next()}@example.org`;

/** Returns a sign-up form with only valid fields. */
export function signUpForm(changes: Partial<SignUpForm> = {}): SignUpForm {
  return {
    role: "student",
    firstName: "Ada",
    lastName: "Obi",
    email: freshEmail(changes.role),
    phone: "",
    agency: changes.role === "agent" ? "North Star" : "",
    country: changes.role === "agent" ? "Nigeria" : "",
    password: goodPassword,
    confirmPassword: goodPassword,
    ...changes,
  };
}

/** A profile with every field filled in; the email belongs to the account. */
export const fullProfile: Omit<Profile, "email"> = {
  firstName: "Ada",
  lastName: "Obi",
  middleName: "Ngozi",
  dateOfBirth: "2004-02-29",
  idNumber: "NIN-558-204",
  citizenship: "NG",
  passportNumber: "A12345678",
  passportExpiry: "2031-05-17",
  gender: "female",
  phoneNumber: "+234 80 1234 5678",
  addressLine1: "17 Palm Grove",
  addressLine2: "Flat 4B",
  city: "Surulere",
  state: "Lagos State",
  postalCode: "101283",
  country: "NG",
};

export type Person = { id: string; email: string; caller: Caller };

/** The hash of every test account's password, since hashing is slow by design. */
const hashes = new WeakMap<Passwords, Promise<string>>();

function hashed({ services: { passwords } }: Wayfare): Promise<string> {
  const hash = hashes.get(passwords) ?? passwords.hash(goodPassword);
  hashes.set(passwords, hash);
  return hash;
}

/** Creates a person with an account and a verified address, signed in. */
export async function person(
  w: Wayfare,
  role: Role,
  status: Status,
  caller = new Caller(w.app),
): Promise<Person> {
  const email = freshEmail(role);
  const password = await hashed(w);
  const names = { firstName: "Ada", lastName: "Obi", agency: role === "agent" ? "North Star" : "" };
  const id = await w.services.database.transaction((tx) =>
    createAccount(tx, { role, status, email, emailVerified: true, ...names }, password),
  );
  await signIn(w, caller, id);
  return { id, email, caller };
}

/** Gives a caller a session, without the time that a password takes. */
export async function signIn(w: Wayfare, caller: Caller, userId: string): Promise<void> {
  const cookie = await w.services.database.transaction((tx) => w.services.sessions.open(tx, userId));
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  caller.cookies.set(name, value);
}

/** Returns the account as stored. */
export async function storedUser(w: Wayfare, id: string) {
  const [row] = await w.services.database.db.select().from(user).where(eq(user.id, id));
  return row;
}
