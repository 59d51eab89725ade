import { eq } from "drizzle-orm";
import { looksLikeEmail, normaliseEmail } from "#domain/email.ts";
import { setDisabled } from "#server/features/account/commands/set-disabled.ts";
import { user } from "#server/features/account/tables.ts";
import { removeSecondFactor } from "#server/features/second-factor/commands/remove-factors.ts";
import { moveAccountByOperator } from "#server/features/sign-in/commands/change-email.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { amountOf, line, parse, type Write, wrong } from "./command-words.ts";
import { endAllSessions, endSessions } from "./end-sessions.ts";

export async function disable(services: Services, words: readonly string[], write: Write, disabled: boolean) {
  const { values, positionals } = parse(words, { "release-students": { type: "boolean" } });
  const { id, email, role } = await accountOf(services.database, positionals[0]);
  if (role === "admin")
    throw new Error(`${email} is an admin's: take it off ADMIN_EMAILS and restart Wayfare.`);
  const releaseStudents = values["release-students"] ?? false;
  const state = disabled ? "disabled" : "enabled";
  try {
    await setDisabled(services, null, { userId: id, disabled, releaseStudents });
  } catch (error) {
    if (error instanceof Refusal) throw new Error(`${email} is ${state} already.`, { cause: error });
    throw error;
  }
  await write(line(`${email} is ${state}.`));
}

export async function withoutSecondFactor(services: Services, words: readonly string[], write: Write) {
  const { id, email } = await accountOf(services.database, parse(words, {}).positionals[0]);
  if (!(await removeSecondFactor(services, id))) throw new Error(`${email} has no two-step login.`);
  await write(line(`${email} logs in with the password alone.`));
}

export async function changeEmail(services: Services, words: readonly string[], write: Write) {
  const [from, to] = parse(words, {}).positionals;
  const { id, email, role } = await accountOf(services.database, from);
  if (role === "admin") throw new Error(`${email} is an admin's: change ADMIN_EMAILS and restart Wayfare.`);
  if (to === undefined || !looksLikeEmail(to)) throw wrong("To which address?");
  try {
    await moveAccountByOperator(services, { userId: id, email: normaliseEmail(to) });
  } catch (error) {
    if (error instanceof Refusal) throw new Error(`${to} belongs to another account.`, { cause: error });
    throw error;
  }
  await write(
    line(`${email} is ${to} now and logged out everywhere; a link for a new password is emailed there.`),
  );
}

async function accountOf({ db }: Services["database"], email: string | undefined) {
  if (email === undefined) throw wrong("Whose account?");
  const [row] = await db
    .select({ id: user.id, role: user.role })
    .from(user)
    .where(eq(user.email, normaliseEmail(email)));
  if (!row) throw new Error(`Nobody has the email address ${email}.`);
  return { ...row, email };
}

export async function logOut(services: Services, words: readonly string[], write: Write) {
  const boolean = { type: "boolean" } as const;
  const { values, positionals } = parse(words, { everyone: boolean, keys: boolean });
  const withKeys = values.keys ?? false;
  const keysMessage = (keys: number) =>
    withKeys
      ? `${amountOf(keys, "API key")} ended.`
      : `${amountOf(keys, "API key")} still valid: --keys ends keys too.`;
  if (values.everyone) {
    if (positionals.length > 0) throw wrong("One account or everyone?");
    const { accounts, keys } = await endAllSessions(services, withKeys);
    return await write(line(`${amountOf(accounts, "account")} logged out everywhere; ${keysMessage(keys)}`));
  }
  const { id, email } = await accountOf(services.database, positionals[0]);
  const keys = await endSessions(services, null, { userId: id, withKeys });
  await write(line(`${email} is logged out everywhere; ${keysMessage(keys)}`));
}
