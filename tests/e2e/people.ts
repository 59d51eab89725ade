import { randomUUID } from "node:crypto";
import type { APIRequestContext, Page } from "@playwright/test";
import { z } from "zod";
import type { SignUpRole } from "#domain/account.ts";
import { mailedCode } from "#tests/support/mailed-code.ts";
import { call } from "./call.ts";
import { mailIn, type Server } from "./server.ts";
import { adminOfStory } from "./story.ts";

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

/** Returns a person with an address that is unique in this run. */
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

/** Signs a person up and in at this page's browser without the forms, for stories about later steps. */
export async function signedUp(page: Page, origin: string, role: SignUpRole): Promise<Person> {
  const person = newPerson(role);
  await call(page.request, origin, "account/signUp", { ...person, confirmPassword: person.password });
  return person;
}

/** Returns the account id of the person signed in at this page's browser, or at this browser. */
export async function idAt(page: { request: APIRequestContext }, origin: string): Promise<string> {
  const response = await page.request.post(`${origin}/rpc/account/me`, {
    headers: { "content-type": "application/json", "x-csrf-token": "orpc", origin },
    data: "{}",
  });
  return (await response.json()).json.viewer.id;
}

export async function signedInAsAdmin(page: Page, origin: string): Promise<void> {
  await call(page.request, origin, "account/signIn", adminOfStory());
}

/** Signs up a student whom a search finds alone, at this page's browser. */
export async function searchableStudent(page: Page, origin: string): Promise<Person> {
  const person = { ...newPerson("student"), lastName: `Obi ${randomUUID().slice(0, 8)}` };
  await call(page.request, origin, "account/signUp", { ...person, confirmPassword: person.password });
  return person;
}

/** Verifies a person's address by opening the mailed link. */
export async function verified(page: Page, server: Server, { email }: Person): Promise<void> {
  const link = await server.find((line) => {
    const mail = mailIn(line);
    return mail?.to === email && /verify/i.test(mail.subject) ? mail.link : null;
  });
  const token = new URL(link).searchParams.get("token");
  await call(page.request, server.url, "account/verifyEmail", { token });
}

/** Waits for the code that was emailed to an address. */
export async function emailedCode({ find, dataDir }: Server, to: string): Promise<string> {
  await find((line) => {
    const mail = mailIn(line);
    return mail?.to === to && mail.subject.startsWith("Your code for ") ? mail : null;
  });
  return (await mailedCode(dataDir, to)) ?? "";
}

const signedIn = z.object({ viewer: z.object({ email: z.string() }) });

/** Proves with an emailed code that the person signed in at this browser can read the account's mailbox. */
export async function proveMailbox(
  { request }: { request: APIRequestContext },
  server: Server,
): Promise<void> {
  const { viewer } = signedIn.parse(await call(request, server.url, "account/me", {}));
  await call(request, server.url, "signInMethods/sendMailboxCode", {});
  const code = await emailedCode(server, viewer.email);
  await call(request, server.url, "signInMethods/proveMailbox", { code });
}

/** Creates a waiting agent with a verified address, at this page's browser. */
export async function waitingAgent(page: Page, server: Server): Promise<Person> {
  const agent = await signedUp(page, server.url, "agent");
  await verified(page, server, agent);
  return agent;
}

/** Creates an agent at this page's browser, approved by the admin who is signed in at the office's. */
export async function approvedAgent(page: Page, office: Page, server: Server): Promise<Person> {
  const agent = await waitingAgent(page, server);
  await call(office.request, server.url, "agents/approve", { id: await idAt(page, server.url) });
  return agent;
}
