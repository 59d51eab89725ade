import { oc, type Route } from "@orpc/contract";
import { z } from "zod";
import { limits } from "#domain/account.ts";
import type { AccountAudience, Audience } from "#domain/audience.ts";
import type { ErrorCode } from "#domain/error-catalogue.ts";
import { declared } from "./errors.ts";

/** Declares who may call a procedure, and how its calls count. `server/procedures.ts` enforces it. */
export type Access = {
  who: Audience;
  /** Whether it only reads, so that it doesn't count as a change by the account. By default a GET reads. */
  reads?: boolean;
  /** Allows an account that still lacks a required second factor to call it, in order to prove or set up one. */
  secondFactor?: "optional";
  /**
   * `own`: a limit of its own replaces the common limit of changes. `ownOnly`: it replaces the limit on calls at /rpc
   * as well. Every call at /api/v1 counts, since calls are counted before the operation is known.
   */
  limit?: "own" | "ownOnly";
  /** Refusals that the audit log records as refused access. By default `permission-denied` and `not-found`. */
  audited?: readonly ErrorCode[];
  /** Message for a visitor in place of the catalogue's. */
  visitorMessage?: string;
};

export const onlyReads = ({ reads }: Access, { method }: Route): boolean => reads ?? method === "GET";

const call = (access: Access) =>
  oc
    .$meta(access)
    .errors(declared("invalid-argument", "resource-exhausted", "internal", "unavailable", "cancelled"));

/** A call for anyone, with the errors that any call can return. */
export const open = call({ who: "anyone" });
/** A call that needs a signed-in user, perhaps of a certain role. */
export const guarded = (access: Access & { who: AccountAudience }) =>
  call(access).errors(declared("unauthenticated", "permission-denied", "account/second-factor-required"));

/**
 * Text from a form. PostgreSQL stores neither a NUL character nor half of a surrogate pair, so both are refused. The
 * limit is generous, since the domain's own checks return a message for the field.
 */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\0") && value.isWellFormed());
/** A form's text may exceed the limit of its field, so that the field's check can return a message. */
export const formText = text(4096).default("");
/** Text of several lines from a form. */
export const longFormText = text(8192).default("");
const wholeCents = "Amounts are whole cents, as a number: 19000 is R190.00.";
/** An amount of money. Typed amounts are parsed in the browser (`domain/money.ts`). */
export const cents = z
  .number({ error: wholeCents })
  .int({ error: wholeCents })
  .meta({ description: "Amount in whole cents of rand: 19000 is R190.00." });
/** Most rows of a page that the caller wants; by default the whole page. */
export const pageLimit = (most: number) => z.number().int().min(1).max(most).optional();
/** Selects a page of a list: the first, or the one after a `cursor`, which is the `next` of the page before. */
export const pageOf = (most: number) => ({ cursor: text(1500).optional(), limit: pageLimit(most) });
export const id = text(limits.id).min(1);
export const uuid = z.uuid().toLowerCase();
export const person = z.object({ id: z.string(), name: z.string() }).meta({ title: "Person" });
/** PostgreSQL supports neither year 0 nor year 300,000. */
export const moment = z.date().min(new Date(0)).max(new Date("9999-12-31"));
/** The output of a call that returns no data. */
export const done = z.object({ done: z.literal(true) }).meta({ title: "Done" });
