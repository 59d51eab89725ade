import { z } from "zod";
import { deadlineOwners } from "#domain/deadline.ts";
import { text } from "./base.ts";

const local = {
  date: text(10).meta({ description: "The day as YYYY-MM-DD." }),
  time: text(5)
    .nullable()
    .meta({ description: "HH:MM on the clocks of the zone; null for the end of the day." }),
  whose: z.enum(deadlineOwners).meta({ description: "Whose clock it goes by." }),
  hard: z
    .boolean()
    .meta({ description: "Whether nothing is taken after it. After a soft one, one may ask." }),
};

/** A deadline as it is entered. `checkDeadline` (domain) returns what is wrong with it. */
export const deadlineForm = z
  .object({
    ...local,
    zone: text(60)
      .default("")
      .meta({ description: "An IANA name. The applicant's own zone is taken for an applicant's deadline." }),
  })
  .meta({ title: "NewDeadline" });

/** A deadline as it is shown. */
export const deadline = z
  .object({
    ...local,
    zone: z.string().meta({ description: "An IANA name." }),
    at: z.date().meta({ description: "The moment at which it is over." }),
  })
  .meta({ title: "Deadline" });
