import { oc } from "@orpc/contract";
import { z } from "zod";
import { limits } from "#domain/account.ts";
import type { KeyRole } from "#domain/api-scope.ts";
import { declared } from "./errors.ts";

/** `keysOf`: roles whose API keys a procedure takes. Without it, every role that can have its scope. */
type Meta = { keysOf?: readonly KeyRole[] };

/** A call for anyone, with the errors that any call can end in. */
export const open = oc
  .$meta<Meta>({})
  .errors(declared("invalid-argument", "resource-exhausted", "internal", "unavailable", "cancelled"));
/** A call that needs somebody signed in, perhaps of a certain role. */
export const guarded = open.errors(
  declared("unauthenticated", "permission-denied", "account/second-factor-required"),
);
/** A call that is for admins, in a part of Wayfare that agents have a scope for too. */
export const admins = guarded.meta({ keysOf: ["admin"] });

/**
 * Text from a form. PostgreSQL stores neither a NUL character nor half of a surrogate pair, so none is let in; the
 * limit is generous, since the domain's own checks answer with a message for the field.
 */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\0") && value.isWellFormed());
/** A form's text may be longer than what is stored, so that the check by field can say so in words. */
export const typed = text(4096).default("");
const wholeCents = "Amounts are whole cents, as a number: 19000 is R190.00.";
/** An amount of money. What somebody types is read in the browser (`domain/money.ts`). */
export const cents = z
  .number({ error: wholeCents })
  .int({ error: wholeCents })
  .meta({ description: "Whole cents of rand: 19000 is R190.00." });
/** Most rows of a page's that the caller wants. Without it: the whole page. */
export const pageLimit = (most: number) => z.number().int().min(1).max(most).optional();
/** Selects a page of a list: the first, or the one after a `cursor`, which is the `next` of the page before. */
export const pageOf = (most: number) => ({ cursor: text(1500).optional(), limit: pageLimit(most) });
export const id = text(limits.id).min(1);
/** PostgreSQL knows neither year 0 nor year 300,000. */
export const moment = z.date().min(new Date(0)).max(new Date("9999-12-31"));
/** The answer of a call that only does something. */
export const done = z.object({ done: z.literal(true) }).meta({ title: "Done" });
