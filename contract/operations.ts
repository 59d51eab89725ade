import type { AnySchema, ContractProcedure, ErrorMap } from "@orpc/contract";
import { z } from "zod";
import type { AccountStatus } from "#domain/account.ts";
import { type ApiScope, isApiScope, type KeyRole, keyRoles, scopesOf } from "#domain/api-scope.ts";
import { isInAudience } from "#domain/audience.ts";
import type { ErrorCode } from "#domain/error-catalogue.ts";
import type { Access } from "./base.ts";
import { contract } from "./index.ts";
import type { ProblemCode } from "./problem.ts";

/** A procedure that programs can call at /api/v1: one that has a route in the contract. */
export type Operation = {
  /** Feature and procedure, such as `students.list`. */
  id: string;
  method: string;
  /** Path below /api/v1, such as `/students/{studentId}`. */
  path: string;
  scope: ApiScope;
  /** The roles whose keys it accepts. */
  keysOf: readonly KeyRole[];
  input: z.ZodObject | null;
  /** Whether it can also be called without a login. */
  isPublic: boolean;
  codes: readonly ProblemCode[];
};

/** Codes that any operation can return besides its own. `cancelled` is left out, since only browsers use it. */
const commonCodes: readonly ProblemCode[] = [
  "invalid-api-key",
  "insufficient-scope",
  "foreign-request",
  "not-acceptable",
];
const changeCodes: readonly ProblemCode[] = [
  "idempotency-key-in-use",
  "idempotency-key-reused",
  "payload-too-large",
  "unsupported-media-type",
];

const keyHolders: Record<KeyRole, AccountStatus> = {
  agent: { role: "agent", status: "approved" },
  admin: { role: "admin", status: "active" },
};

type Procedure = ContractProcedure<AnySchema, AnySchema, ErrorMap, Access>;

function operation(feature: string, name: string, procedure: Procedure): Operation | null {
  const { route, inputSchema, errorMap, meta } = procedure["~orpc"];
  if (route.path === undefined || route.method === undefined) return null;
  const scope = `${feature}:${route.method === "GET" ? "read" : "write"}`;
  if (!isApiScope(scope)) throw new Error(`there is no scope ${scope}`);
  const own = Object.keys(errorMap).filter((code): code is ErrorCode => code !== "cancelled");
  return {
    id: `${feature}.${name}`,
    method: route.method,
    path: route.path,
    scope,
    keysOf: keyRoles.filter(
      (role) => isInAudience(meta.who, keyHolders[role]) && scopesOf(role).includes(scope),
    ),
    input: inputSchema instanceof z.ZodObject ? inputSchema : null,
    isPublic: meta.who === "anyone",
    codes: [...own, ...commonCodes, ...(route.method === "GET" ? [] : changeCodes)],
  };
}

/** All operations, in the contract's order. */
export const operations: readonly Operation[] = Object.entries(contract).flatMap(([feature, procedures]) =>
  Object.entries(procedures).flatMap(([name, procedure]) => operation(feature, name, procedure) ?? []),
);
