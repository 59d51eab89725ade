import { z } from "zod";

/** A user who entered something on a student's behalf; the name is null once their account is deleted. */
export const enteredBy = z
  .object({ name: z.string().nullable(), agency: z.string() })
  .meta({ title: "EnteredBy" });
