import { oc, type Route } from "@orpc/contract";
import { z } from "zod";
import { limits } from "#domain/account.ts";
import type { AccountAudience, Audience } from "#domain/audience.ts";
import type { ErrorCode } from "#domain/error-catalogue.ts";
import { declared } from "./errors.ts";

/** Declares who may call a procedure, and how its calls count. `server/procedures.ts` enforces it. */
export type Access = {
  who: Audience;
  /** Whether it only reads, so that it counts as no change of the account. By default a GET reads. */
  reads?: boolean;
  /** Calls that prove or set up a second factor are allowed to an account that still lacks a required one. */
  secondFactor?: "optional";
  /**
   * `own`: a limit of its own takes the place of the common limit of changes. `ownOnly`: it takes the place of the limit
   * on calls at /rpc as well. Every call at /api/v1 counts, since its caller counts before the operation is known.
   */
  limit?: "own" | "ownOnly";
  /** Refusals that the audit log records as refused access. By default `permission-denied` and `not-found`. */
  audited?: readonly ErrorCode[];
  /** Message for a visitor in place of the catalogue's. */
  visitorMessage?: string;
};

/** Whether a call only reads. */
export const onlyReads = ({ reads }: Access, { method }: Route): boolean => reads ?? method === "GET";

const call = (access: Access) =>
  oc
    .$meta(access)
    .errors(declared("invalid-argument", "resource-exhausted", "internal", "unavailable", "cancelled"));

/** A call for anyone, with the errors that any call can end in. */
export const open = call({ who: "anyone" });
/** A call that needs somebody signed in, perhaps of a certain role. */
export const guarded = (access: Access & { who: AccountAudience }) =>
  call(access).errors(declared("unauthenticated", "permission-denied", "account/second-factor-required"));

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
export const formText = text(4096).default("");
/** A text for which a form has several lines. */
export const longFormText = text(8192).default("");
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
export const uuid = z.uuid().toLowerCase();
/** A person's id and name. */
export const person = z.object({ id: z.string(), name: z.string() }).meta({ title: "Person" });
/** PostgreSQL knows neither year 0 nor year 300,000. */
export const moment = z.date().min(new Date(0)).max(new Date("9999-12-31"));
/** The answer of a call that only does something. */
export const done = z.object({ done: z.literal(true) }).meta({ title: "Done" });
