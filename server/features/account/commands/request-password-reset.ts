import { normaliseEmail } from "#domain/email.ts";
import { resetProblem } from "#domain/sign-in.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { demandAllowance } from "../allowance.ts";
import { resetMail } from "../mails.ts";

/** Seconds until the job looks whether there is an account: what it does then is not felt in the answer. */
const delaySeconds = 1;

/** Queues the same job for every address: the answer must not reveal whether it has an account. */
export async function requestPasswordReset(
  services: Services,
  { email: typed, next }: { email: string; next?: string | undefined },
  address: string,
): Promise<void> {
  const problem = resetProblem(typed);
  if (problem) throw Refusal.of(problem);
  demandAllowance(await services.limits.requestReset(address), "auth/too-many-requests");
  const email = normaliseEmail(typed);
  const mail = { email, next };
  await services.database.transaction((tx) => queueMail(services.jobs, tx, resetMail, mail, delaySeconds));
}
