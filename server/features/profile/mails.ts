import { z } from "zod";
import { agencyFields, agencyLabel } from "#domain/agency.ts";
import { profileLabel } from "#domain/profile.ts";
import { detailFields } from "#domain/profile-check.ts";
import { accountById } from "#server/features/account/queries.ts";
import { compose, greeting, nameToGreet } from "#server/platform/mail.ts";
import type { MailKind } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";

const labels = { ...profileLabel, ...agencyLabel };
const edited = z.enum([...detailFields, ...agencyFields]);
type Edit = { userId: string; changed: z.infer<typeof edited>[] };

/** Tells a user which of their details an admin has changed, without the details. */
export const detailsEditedMail: MailKind<Edit, Services> = {
  name: "details-edited",
  data: z.object({ userId: z.string(), changed: z.array(edited) }),
  async write({ database, environment }, { userId, changed }) {
    const holder = await accountById(database.db, userId);
    if (!holder) return null;
    const path = holder.role === "agent" ? "/agent-profile" : "/student-profile";
    return compose({
      to: holder.email,
      subject: "Your details were changed",
      paragraphs: [
        greeting(nameToGreet(holder)),
        `Our team changed these details of your Wayfare account: ${changed.map((field) => labels[field].toLowerCase()).join(", ")}.`,
        `Is something wrong? Correct it on your profile, or write to ${environment.contactEmail}.`,
      ],
      action: { label: "Open your profile", link: `${environment.baseUrl}${path}` },
    });
  },
};
