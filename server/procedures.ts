import type { AnySchema } from "@orpc/contract";
import { implement } from "@orpc/server";
import type { ResponseHeadersPluginContext } from "@orpc/server/plugins";
import type { z } from "zod";
import { onlyReads } from "#contract/base.ts";
import { contract } from "#contract/index.ts";
import { isInAudience } from "#domain/audience.ts";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Session, SessionActor } from "#server/features/sessions/sessions.ts";
import { readCursor } from "#server/platform/keyset-list.ts";
import { setRateHeaders } from "#server/platform/rate-headers.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

/** The sender of a request: the address by which limits count, and the headers User-Agent and Cookie. */
export type Sender = { address: string; userAgent: string | null; cookies: string | null };

export type RequestContext = ResponseHeadersPluginContext &
  Sender & {
    services: Services;
    /** The caller's session, by the session cookie or an API key; null for a visitor. */
    session: Session | null;
  };

const notACursor = "This isn't the `next` of a page of this list.";

/** Reads the cursor of a list's page; null for the first page. Throws a Refusal if it can't be read. */
export function cursorOf<Read>(text: string | undefined, form: z.ZodType<Read>): Read | null {
  if (text === undefined) return null;
  const cursor = readCursor(text, form);
  if (cursor === null) throw new Refusal("invalid-argument", { field: "cursor", message: notACursor });
  return cursor;
}

/** Queues searches per address, so that one client can't starve the others. */
export const inTurn = <Answer>(
  { services, address, resHeaders }: RequestContext,
  search: () => Promise<Answer>,
) => services.searches.run(address, search, resHeaders);

const tooManyChanges = "You've made a lot of changes in a short time. Please wait a moment and try again.";

/** Refusals that look like an attempt to access things of others. */
const accessRefusals: readonly ErrorCode[] = ["permission-denied", "not-found"];

/**
 * Collects the ids of a refused input for the audit log. Nothing else may be logged: other values are the caller's own
 * text, and fields that the contract doesn't know could hold anything.
 */
async function aboutOf(schema: AnySchema | undefined, input: unknown) {
  const validation = await schema?.["~standard"].validate(input);
  const content: unknown = validation?.issues === undefined ? validation?.value : undefined;
  const fields: [string, unknown][] =
    typeof content === "object" && content !== null ? Object.entries(content) : [];
  const ids = fields.flatMap(([key, value]) =>
    /^id$|Id$/.test(key) && typeof value === "string" && /^[\w-]{8,64}$/.test(value) ? [{ key, value }] : [],
  );
  const account = ids.find(({ key }) => key === "studentId" || key === "userId");
  return { subjectId: account?.value ?? null, things: ids.map(({ value }) => value) };
}

const base = implement(contract).$context<RequestContext>();

/** Enforces the access that the contract declares for a procedure (`contract/base.ts`). */
const enforceAccess = base.middleware(
  async ({ context, next, path, procedure: { "~orpc": definition } }, input) => {
    const { meta: access, route, inputSchema } = definition;
    if (access.who === "anyone") return await next();
    const { session, services, address } = context;
    if (session === null)
      throw new Refusal("unauthenticated", { message: access.visitorMessage ?? messageOf.unauthenticated });
    if (session.lacksSecondFactor && access.secondFactor !== "optional")
      throw new Refusal("account/second-factor-required");
    const { userId } = session;
    try {
      if (!isInAudience(access.who, session)) throw new Refusal("permission-denied");
      if (access.limit === undefined && !onlyReads(access, route)) {
        const allowance = await services.limits.write(userId);
        setRateHeaders(context.resHeaders, allowance.rate);
        requireAllowance(allowance, "resource-exhausted", tooManyChanges);
      }
      return await next();
    } catch (error) {
      if (error instanceof Refusal && (access.audited ?? accessRefusals).includes(error.code))
        await services.refusals.record({
          action: "access-refused",
          actorId: userId,
          address,
          procedure: path.join("."),
          ...(await aboutOf(inputSchema, input)),
        });
      throw error;
    }
  },
);

/** Builds procedures whose session is null for a visitor. */
export const visitor = base.use(enforceAccess);

/** Builds procedures that have a session, since the contract requires one. */
export const signedIn = visitor.use(async ({ context: { session }, next }) => {
  if (session === null) throw new Refusal("unauthenticated");
  return await next({ context: { session } });
});

/** Returns the caller for commands and the audit log. */
export const actorOf = ({ session, address }: RequestContext & { session: Session }): Actor => ({
  userId: session.userId,
  address,
});

/** Returns the caller with the session, for commands that must not go ahead once it has ended. */
export const sessionActorOf = (context: RequestContext & { session: Session }): SessionActor => ({
  ...actorOf(context),
  session: context.session,
});

export function setCookies({ resHeaders }: RequestContext, cookies: readonly string[]): void {
  for (const cookie of cookies) resHeaders?.append("set-cookie", cookie);
}

/** The answer of a procedure that returns no data. */
export const done = { done: true } as const;
