import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { SignUpRole } from "#domain/account.ts";
import { call } from "./call.ts";
import { admins } from "./story.ts";

export type Person = {
  role: SignUpRole;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  agency: string;
  country: string;
  password: string;
};

/** Somebody with an address that nobody else in this run has. */
export function newPerson(role: SignUpRole): Person {
  const isAgent = role === "agent";
  return {
    role,
    firstName: isAgent ? "Kofi" : "Ada",
    lastName: isAgent ? `Mensah ${randomUUID().slice(0, 8)}` : "Obi",
    email: `${role}-${randomUUID()}@example.org`,
    phone: "+234 800 000 0000",
    agency: isAgent ? "North Star" : "",
    country: isAgent ? "Ghana" : "",
    password: "correct horse battery",
  };
}

export const nameOf = ({ firstName, lastName }: Person): string => `${firstName} ${lastName}`;

/** Somebody signed up and signed in at this page's browser, without the forms; for stories about what comes after. */
export async function signedUp(page: Page, origin: string, role: SignUpRole): Promise<Person> {
  const person = newPerson(role);
  await call(page.request, origin, "account/signUp", { ...person, confirmPassword: person.password });
  return person;
}

export async function signedInAsAdmin(page: Page, origin: string): Promise<void> {
  await call(page.request, origin, "account/signIn", admins.ready);
}
