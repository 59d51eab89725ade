import { z } from "zod";

/** Somebody who entered something in a student's place; the name is null once that account is gone. */
export const enteredBy = z
  .object({ name: z.string().nullable(), agency: z.string() })
  .meta({ title: "EnteredBy" });
