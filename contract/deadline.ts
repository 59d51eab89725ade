import { z } from "zod";
import { deadlineOwners } from "#domain/deadline.ts";
import { text } from "./base.ts";

const local = {
  date: text(10).meta({ description: "Day of the deadline, as YYYY-MM-DD." }),
  time: text(5)
    .nullable()
    .meta({ description: "Local time in the time zone, as HH:MM; null for the end of the day." }),
  whose: z.enum(deadlineOwners).meta({ description: "Party whose time zone applies." }),
  hard: z.boolean().meta({
    description:
      "Whether the deadline is strict. Nothing is accepted after a strict deadline; for any other, the applicant may ask for more time. Wayfare itself enforces neither.",
  }),
};

/** A deadline as it is entered. `checkDeadline` (domain) returns what is wrong with it. */
export const deadlineForm = z
  .object({
    ...local,
    zone: text(60).default("").meta({
      description:
        "IANA name of the time zone. For an applicant's deadline, the applicant's own time zone is used instead.",
    }),
  })
  .meta({ title: "NewDeadline" });

/** A deadline as it is shown. */
export const deadline = z
  .object({
    ...local,
    zone: z.string().meta({ description: "IANA name of the time zone." }),
    at: z.date().meta({ description: "Time at which the deadline passes." }),
  })
  .meta({ title: "Deadline" });
