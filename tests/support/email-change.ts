import { saveRequestedEmail } from "#server/features/account/requested-email.ts";
import { createLink } from "#server/features/sign-in/links.ts";
import { Caller } from "./caller.ts";
import { freshEmail, goodPassword, type Person } from "./factories.ts";
import type { Wayfare } from "./wayfare.ts";

/** Requests a change to this address. */
export const askForEmail = ({ caller }: Person, email: string, password = goodPassword) =>
  caller.call("profile.changeEmail", { email, password });

/** Opens the link of a change in a new browser. */
export const confirmEmail = (w: Wayfare, token: string) =>
  new Caller(w.app).call("account.verifyEmail", { token, password: goodPassword });

export const tokenOf = (link: string | undefined) => new URL(link ?? "").searchParams.get("token") ?? "";

/** Requests a change and creates its link directly, without waiting for the mail. */
export async function linkedEmail(w: Wayfare, who: Person, email = freshEmail()) {
  await w.services.database.transaction((tx) => saveRequestedEmail(tx, who.id, email));
  const grant = { purpose: "email", userId: who.id, email, from: who.email } as const;
  return { email, token: tokenOf(await createLink(w.services, grant)) };
}

/** Requests a change and returns the link from its mail. */
export async function mailedEmail(w: Wayfare, who: Person, email = freshEmail()) {
  const { status } = await askForEmail(who, email);
  if (status !== 200) throw new Error(`the request for a change got ${status}`);
  return { email, token: tokenOf((await w.mail(email, /confirm your new email/)).link) };
}
