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
import { type SearchRefusal, SearchRefused } from "#server/platform/searches.ts";
import type { Services } from "#server/services.ts";

/** What a procedure gets with its input. */
export type RequestContext = ResponseHeadersPluginContext & {
  services: Services;
  /** As its answer's X-Request-Id; null where a page is rendered for many requests. */
  requestId: string | null;
  /** Where the request comes from, as limits count it. */
  address: string;
  /** Its Cookie header. */
  cookies: string | null;
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

const searchRefusals: Record<SearchRefusal, { code: ErrorCode; message: string }> = {
  tooMany: {
    code: "resource-exhausted",
    message: "You've searched a lot in a short time. Please wait a moment and try again.",
  },
  busy: { code: "unavailable", message: "Search is busy right now. Please try again in a moment." },
  tooLong: {
    code: "deadline-exceeded",
    message: "This search took too long. Please try a longer word, or fewer of them.",
  },
};

/** Carries out a search when it is its address's turn. */
export async function inTurn<Found>(context: RequestContext, search: () => Promise<Found>): Promise<Found> {
  try {
    return await context.services.searches.run(context.address, search);
  } catch (error) {
    if (!(error instanceof SearchRefused)) throw error;
    const { reason, retryAfter } = error;
    const { code, message } = searchRefusals[reason];
    if (reason === "tooLong") throw refusal(code, { message });
    context.resHeaders?.set("retry-after", String(retryAfter));
    throw refusal(code, { message, retryAfter });
  }
}

/** Anyone, signed in or not. */
export const visitor = implement(contract).$context<RequestContext>();

/** Procedures that only read. Every other one of somebody signed in counts as a change. */
export const reading: ReadonlySet<string> = new Set([
  "agents.counts",
  "agents.list",
  "applications.mine",
  "applications.ofStudent",
  "applications.timeline",
  "auctions.myBids",
  "auctions.own",
  "auctions.standing",
  "documents.ofStudent",
  "notifications.list",
  "notifications.mailSwitches",
  "notifications.unread",
  "shortlist.list",
  "students.agents",
  "students.desk",
  "students.details",
  "students.list",
  "students.waiting",
]);

/** A limit that is not about logging in, with the Retry-After header that belongs to it. */
export function tooManyRefusal({ resHeaders }: RequestContext, retryAfter: number, message?: string) {
  resHeaders?.set("retry-after", String(retryAfter));
  return refusal("resource-exhausted", { retryAfter, ...(message !== undefined && { message }) });
}

const tooManyChanges = "You've made a lot of changes in a short time. Please wait a moment and try again.";

/** Whether somebody signed in was refused what belongs to others. Auctions are public: what isn't found there is gone. */
const isAccessRefused = (procedure: string, error: unknown): boolean =>
  error instanceof ORPCError &&
  (error.code === "permission-denied" || (error.code === "not-found" && !procedure.startsWith("auctions.")));

/** What an input that was refused was about: only ids, since anything else in it is the caller's own text. */
function aboutOf(input: unknown) {
  const fields: [string, unknown][] =
    typeof input === "object" && input !== null ? Object.entries(input) : [];
  const ids = fields.flatMap(([key, value]) =>
    typeof value === "string" && /^[\w-]{8,64}$/.test(value) ? [{ key, value }] : [],
  );
  const account = ids.find(({ key }) => key === "studentId" || key === "userId");
  return { subjectId: account?.value ?? null, things: ids.map(({ value }) => value) };
}

function demand(allowed: (who: Standing) => boolean) {
  return visitor.middleware(async ({ context, next, path }, input) => {
    const { session, services, address } = context;
    if (session === null) throw refusal("unauthenticated");
    const { userId } = session;
    const procedure = path.join(".");
    try {
      if (!allowed(session)) throw refusal("permission-denied");
      if (!reading.has(procedure)) {
        const allowance = await services.limits.write(userId);
        if (allowance.kind === "locked") throw tooManyRefusal(context, allowance.retryAfter, tooManyChanges);
      }
      return await next({ context: { session } });
    } catch (error) {
      if (isAccessRefused(procedure, error))
        await services.refusals.record({
          action: "access-refused",
          actorId: userId,
          address,
          procedure,
          ...aboutOf(input),
        });
      throw error;
    }
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
