import { implement, ORPCError } from "@orpc/server";
import type { ResponseHeadersPluginContext } from "@orpc/server/plugins";
import { type ErrorData, httpStatus } from "#contract/errors.ts";
import { contract } from "#contract/index.ts";
import type { Standing } from "#domain/account.ts";
import { type ErrorCode, messageOf, type Problem } from "#domain/error-catalogue.ts";
import {
  isAdmin,
  isApprovedAgent,
  isStudent,
  mayHaveProfile,
  mayManageStudents,
} from "#domain/permission.ts";
import type { Session } from "#server/features/account/sessions.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Services } from "#server/services.ts";

/** What a procedure gets with its input. */
export type RequestContext = ResponseHeadersPluginContext & {
  services: Services;
  /** Where the request comes from, as limits count it. */
  address: string;
  /** Who asks, by the session cookie; null for a visitor. */
  session: Session | null;
};

/** An error to throw. It must be declared in the procedure's contract: an undeclared one is answered as `internal`. */
export function refusal(code: ErrorCode, about: { message?: string } & ErrorData = {}) {
  const { message = messageOf[code], ...data } = about;
  return new ORPCError(code, { status: httpStatus(code), message, data });
}

/** What a check of the domain found wrong, as an error. */
export const problemRefusal = ({ code, message, field }: Problem) =>
  refusal(code, { message, ...(field !== undefined && { field }) });

/** A limit's error, with the Retry-After header that belongs to it. */
export function lockedRefusal({ resHeaders }: RequestContext, retryAfter: number) {
  resHeaders?.set("retry-after", String(retryAfter));
  return refusal("auth/too-many-requests", { retryAfter });
}

/** Anyone, signed in or not. */
export const visitor = implement(contract).$context<RequestContext>();

function demand(allowed: (who: Standing) => boolean) {
  return visitor.middleware(async ({ context, next }) => {
    const { session } = context;
    if (session === null) throw refusal("unauthenticated");
    if (!allowed(session)) throw refusal("permission-denied");
    return await next({ context: { session } });
  });
}

/** Identity narrowed once: what is built on one of these has a session, of somebody who may. */
export const signedIn = visitor.use(demand(() => true));
export const admin = visitor.use(demand(isAdmin));
export const student = visitor.use(demand(isStudent));
export const approvedAgent = visitor.use(demand(isApprovedAgent));
/** An approved agent or an admin. */
export const guide = visitor.use(demand(mayManageStudents));

/** A student or an approved agent. */
export const profileHolder = visitor.use(demand(mayHaveProfile));

/** Who asks, as commands and the audit log name them. */
export const actorOf = ({ session, address }: RequestContext & { session: Session }): Actor => ({
  userId: session.userId,
  address,
});

/** The answer of a procedure that only does something. */
export const done = { done: true } as const;
