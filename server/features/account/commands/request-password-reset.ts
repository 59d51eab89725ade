import { normaliseEmail } from "#domain/email.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { resetProblem } from "#domain/sign-in.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { resetMail } from "../mails.ts";

export type ResetOutcome =
  | { kind: "requested" }
  | { kind: "problem"; problem: Problem }
  | { kind: "locked"; retryAfter: number };

/** Seconds until the job looks whether there is an account: what it does then is not felt in the answer. */
const lookAfter = 1;

/** Queues the same job for every address: the answer can't tell whether it has an account. */
export async function requestPasswordReset(
  services: Services,
  { email: typed, next }: { email: string; next?: string | undefined },
  address: string,
): Promise<ResetOutcome> {
  const problem = resetProblem(typed);
  if (problem) return { kind: "problem", problem };
  const allowance = await services.limits.requestReset(address);
  if (allowance.kind === "locked") return allowance;
  const email = normaliseEmail(typed);
  const mail = { email, next };
  await services.database.transaction((tx) => queueMail(services.jobs, tx, resetMail, mail, lookAfter));
  return { kind: "requested" };
}
