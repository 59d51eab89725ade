import type { AnySchema } from "@orpc/contract";
import { implement } from "@orpc/server";
import type { ResponseHeadersPluginContext } from "@orpc/server/plugins";
import type { z } from "zod";
import { contract } from "#contract/index.ts";
import type { AccountStatus } from "#domain/account.ts";
import {
  isAdmin,
  isApprovedAgent,
  isStudent,
  mayHaveProfile,
  mayManageStudents,
} from "#domain/permission.ts";
import { demandAllowance, stateRate } from "#server/features/account/allowance.ts";
import type { Session, SessionActor } from "#server/features/account/sessions.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { readCursor } from "#server/platform/cursor.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

/** The sender of a request: the address by which limits count, and the headers User-Agent and Cookie. */
export type Sender = { address: string; userAgent: string | null; cookies: string | null };

/** The context of a procedure. */
export type RequestContext = ResponseHeadersPluginContext &
  Sender & {
    services: Services;
    /** The asker's session, by the session cookie or an API key; null for a visitor. */
    session: Session | null;
    /** At /api/v1, the operation that was found at the address: no other one may run. */
    operation?: string;
  };

const notACursor = "This isn't the `next` of a page of this list.";

/**
 * Reads the position from which the requested list goes on; null at its beginning. Throws a Refusal when it can't be
 * read.
 */
export function cursorOf<Read>(written: string | undefined, form: z.ZodType<Read>): Read | null {
  if (written === undefined) return null;
  const cursor = readCursor(written, form);
  if (cursor === null) throw new Refusal("invalid-argument", { field: "cursor", message: notACursor });
  return cursor;
}

/** Queues searches per address, so that one client can't starve the others. */
export const inTurn = <Found>({ services, address }: RequestContext, search: () => Promise<Found>) =>
  services.searches.run(address, search);

const base = implement(contract).$context<RequestContext>();

/** Procedures that are allowed without a required second factor: those for visitors, and those that set one up. */
const withoutSecondFactor: ReadonlySet<string> = new Set([
  "account.confirmIdentity",
  "account.confirmWithPasskey",
  "account.confirmationChallenge",
  "account.me",
  "account.passkeyChallenge",
  "account.passwordLink",
  "account.requestPasswordReset",
  "account.resendVerification",
  "account.setPassword",
  "account.signIn",
  "account.signInWithPasskey",
  "account.signOut",
  "account.signUp",
  "account.verifyEmail",
  "auctions.bids",
  "auctions.list",
  "contact.send",
  "notifications.unsubscribe",
  "signInMethods.addPasskey",
  "signInMethods.confirmAuthenticator",
  "signInMethods.mine",
  "signInMethods.proveMailbox",
  "signInMethods.sendMailboxCode",
  "signInMethods.startAuthenticator",
  "signInMethods.startPasskey",
]);

/** Anyone, signed in or not. */
export const visitor = base.use(async ({ context: { session }, next, path }) => {
  if (session?.lacksSecondFactor && !withoutSecondFactor.has(path.join(".")))
    throw new Refusal("account/second-factor-required");
  return await next();
});

/** Procedures that only read. Every other one of somebody signed in counts as a change. */
export const reading: ReadonlySet<string> = new Set([
  "account.devices",
  "accounts.list",
  "agents.counts",
  "agents.list",
  "apiKeys.list",
  "applications.mine",
  "applications.ofStudent",
  "applications.timeline",
  "audit.lastCheck",
  "audit.list",
  "auctions.myBids",
  "auctions.own",
  "auctions.relation",
  "documents.ofStudent",
  "jobs.failed",
  "notifications.list",
  "notifications.mailSwitches",
  "notifications.unread",
  "overview.figures",
  "retention.list",
  "retention.rules",
  "shortlist.list",
  "signInMethods.mine",
  "students.agents",
  "students.dashboard",
  "students.details",
  "students.list",
  "students.waiting",
  "webhooks.deliveries",
  "webhooks.mine",
]);

const tooManyChanges = "You've made a lot of changes in a short time. Please wait a moment and try again.";

/**
 * Whether somebody signed in was refused access to things of others. Auctions are public: one that isn't found is gone.
 */
const isAccessRefused = (procedure: string, error: unknown): boolean =>
  error instanceof Refusal &&
  (error.code === "permission-denied" || (error.code === "not-found" && !procedure.startsWith("auctions.")));

/**
 * Collects the ids of a refused input for the audit log. Nothing else may be logged: other values are the caller's own
 * text, and fields that the contract doesn't know could hold anything.
 */
async function aboutOf(schema: AnySchema | undefined, input: unknown) {
  const checked = await schema?.["~standard"].validate(input);
  const known: unknown = checked?.issues === undefined ? checked?.value : undefined;
  const fields: [string, unknown][] =
    typeof known === "object" && known !== null ? Object.entries(known) : [];
  const ids = fields.flatMap(([key, value]) =>
    /^id$|Id$/.test(key) && typeof value === "string" && /^[\w-]{8,64}$/.test(value) ? [{ key, value }] : [],
  );
  const account = ids.find(({ key }) => key === "studentId" || key === "userId");
  return { subjectId: account?.value ?? null, things: ids.map(({ value }) => value) };
}

function demand(allowed: (who: AccountStatus) => boolean) {
  return base.middleware(async ({ context, next, path, procedure: { "~orpc": definition } }, input) => {
    const { session, services, address } = context;
    if (session === null) throw new Refusal("unauthenticated");
    const { userId } = session;
    const procedure = path.join(".");
    try {
      if (!allowed(session)) throw new Refusal("permission-denied");
      if (!reading.has(procedure)) {
        const allowance = await services.limits.write(userId);
        stateRate(context.resHeaders, allowance.rate);
        demandAllowance(allowance, "resource-exhausted", tooManyChanges);
      }
      return await next({ context: { session } });
    } catch (error) {
      if (isAccessRefused(procedure, error))
        await services.refusals.record({
          action: "access-refused",
          actorId: userId,
          address,
          procedure,
          ...(await aboutOf(definition.inputSchema, input)),
        });
      throw error;
    }
  });
}

/** Bases that narrow the identity once: a procedure on one of these has the session of somebody who may call it. */
export const signedIn = visitor.use(demand(() => true));
export const admin = visitor.use(demand(isAdmin));
export const student = visitor.use(demand(isStudent));
export const approvedAgent = visitor.use(demand(isApprovedAgent));
/** An approved agent or an admin. */
export const staff = visitor.use(demand(mayManageStudents));

/** A student or an approved agent. */
export const profileHolder = visitor.use(demand(mayHaveProfile));

/** Names the asker for commands and the audit log. */
export const actorOf = ({ session, address }: RequestContext & { session: Session }): Actor => ({
  userId: session.userId,
  address,
});

/** Names the session too, for commands that must not go ahead once it has ended. */
export const sessionActorOf = (context: RequestContext & { session: Session }): SessionActor => ({
  ...actorOf(context),
  session: context.session,
});

export function setCookies({ resHeaders }: RequestContext, cookies: readonly string[]): void {
  for (const cookie of cookies) resHeaders?.append("set-cookie", cookie);
}

/** The answer of a procedure that only does something. */
export const done = { done: true } as const;
