import { createHash } from "node:crypto";
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { messageLimits } from "#domain/conversation.ts";
import { unverifiedUploads } from "#domain/file-rules.ts";
import { invitationLimits } from "#domain/invitation.ts";
import { questionLimits } from "#domain/question.ts";
import { isThisMachine, widerNetwork } from "#server/platform/client-address.ts";
import type { Database } from "#server/platform/database.ts";
import { LeasedLimiter, type LimitState } from "#server/platform/leased-limiter.ts";
import type { Allowance, CallAllowance, HashingAllowance, Lockout } from "./allowance.ts";
import { createRaiseLimit } from "./raise-limit.ts";

const [minute, tenMinutes, hour, day] = [60, 600, 3600, 24 * 3600];
/** Calls per minute. */
const maxCalls = { account: 1200, address: 6000, key: 600 };
/** Changes per account and minute. */
const maxWrites = 120;
/** Searches per address and minute. */
const maxSearches = 120;
/**
 * Points that an attempt takes from its address's counter. An attempt that is cancelled because too many are waiting
 * keeps one of them.
 */
const wholeAttempt = 5;
/** A counter, its subject, and the points to count. */
type Count = readonly [limiter: RateLimiterAbstract, about: string, points?: number];
/** Hashes a key, so that counters hold no addresses of people, known or unknown. */
export const keyOf = (text: string) => createHash("sha256").update(text).digest("base64url");

const lockedFor = ({ msBeforeNext }: RateLimiterRes): Lockout => ({
  kind: "locked",
  retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)),
});

async function take([limiter, about, points = 1]: Count): Promise<Allowance> {
  const key = keyOf(about);
  try {
    await limiter.consume(key, points);
    return { kind: "allowed", refund: async () => void (await limiter.reward(key, points)) };
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return lockedFor(error);
  }
}

const takeFrom = (limiter: RateLimiterAbstract) => (about: string) => take([limiter, about]);

/** Takes points from both counters, or from neither. */
async function takeBoth(first: Count, second: Count): Promise<Allowance> {
  const one = await take(first);
  if (one.kind === "locked") return one;
  const other = await take(second);
  if (other.kind === "locked") {
    await one.refund();
    return other;
  }
  const refund = async () => void (await Promise.all([one.refund(), other.refund()]));
  return { kind: "allowed", refund };
}

/**
 * Creates the limits on attempts, counted in PostgreSQL for all nodes together. An attempt is counted before it is
 * made, so that concurrent attempts can't slip through together, and refunded when it was no failure.
 */
export function createLimits(database: Database) {
  const limiter = (keyPrefix: string, points: number, duration: number, isBrief = false) =>
    new RateLimiterPostgres({
      storeClient: database.pool,
      storeType: "pool",
      tableName: isBrief ? "brief_limit" : "rate_limit",
      tableCreated: true,
      clearExpiredByTimeout: false,
      inMemoryBlockOnConsumed: isBrief ? points + 1 : 0,
      keyPrefix,
      points,
      duration,
    });
  // Creates a counter that is used often and hardly ever refunded. A node caches which keys are over the limit and
  // refuses them without a query.
  const brief = (keyPrefix: string, points: number, duration: number) =>
    limiter(keyPrefix, points, duration, true);

  const failuresOfAccount = limiter("sign-in-account", 10, tenMinutes);
  const failuresOfAddress = limiter("sign-in-address", 50, tenMinutes);
  // Successful logins cost work too, so they are not refunded here: beside the failures, 20 of them per account and 100
  // per address remain.
  const loginsOfAccount = limiter("login-account", 30, tenMinutes);
  const loginsOfAddress = limiter("login-address", 150 * wholeAttempt, tenMinutes);
  const signUpsOfAddress = limiter("sign-up-address", 100 * wholeAttempt, tenMinutes);
  const unverifiedUploadsOfAddress = limiter("unverified-upload", unverifiedUploads / 1024, day);
  const messagesOfAddress = limiter("contact-address", 5, hour);
  const messagesOfNetwork = limiter("contact-network", 20, hour);
  const messagesOfAll = limiter("contact", 60, hour);
  const dataDownloadsOfAccount = limiter("data-download", 5, day);

  const calls = {
    account: new LeasedLimiter(brief("call-account", maxCalls.account, minute), 20),
    address: new LeasedLimiter(brief("call-address", maxCalls.address, minute), 100),
    key: new LeasedLimiter(brief("call-key", maxCalls.key, minute), 20),
  };

  // Every browser report costs a log line, so few are accepted per address and in total.
  const reportsOfAddress = brief("report-address", 20, tenMinutes);
  const reportsOfAccount = brief("report-account", 20, tenMinutes);
  const reportsOfAll = brief("report", 300, hour);
  const firstReportOfAddress = brief("report-first", 1, hour);

  /** Counts one call against a limit, and returns how many are left. */
  async function countAgainst(limit: number, consume: () => Promise<LimitState>): Promise<CallAllowance> {
    try {
      const { remaining, reset } = await consume();
      const seconds = Math.max(1, Math.ceil(reset / 1000));
      return { kind: "allowed", rate: { limit, remaining: Math.min(remaining, limit), reset: seconds } };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const lockout = lockedFor(error);
      return { ...lockout, rate: { limit, remaining: 0, reset: lockout.retryAfter } };
    }
  }

  const countCall = (kind: keyof typeof calls, about: string): Promise<CallAllowance> =>
    countAgainst(maxCalls[kind], () => calls[kind].consume(keyOf(about)));

  const countWith = (counter: RateLimiterAbstract, limit: number, about: string): Promise<CallAllowance> =>
    countAgainst(limit, async () => {
      const { remainingPoints, msBeforeNext } = await counter.consume(keyOf(about));
      return { remaining: remainingPoints, reset: msBeforeNext };
    });

  const writes = brief("write", maxWrites, minute);
  const searches = brief("search", maxSearches, minute);

  return {
    /**
     * Counts one password attempt. A failure counts against its address, and against the browser if the account knows
     * it, otherwise against the account, which may not exist.
     */
    async password(email: string, address: string, device: string | null): Promise<HashingAllowance> {
      const failure = await takeBoth(
        [failuresOfAddress, address],
        [failuresOfAccount, device === null ? email : `device ${device}`],
      );
      if (failure.kind === "locked") return failure;
      const login = await takeBoth([loginsOfAddress, address, wholeAttempt], [loginsOfAccount, email]);
      if (login.kind === "locked") {
        await failure.refund();
        return login;
      }
      const cancel = async () => {
        await Promise.all([failure.refund(), login.refund()]);
        await loginsOfAddress.penalty(keyOf(address));
      };
      return { ...failure, cancel };
    },
    /** Counts one attempt at a login with a passkey. A failure counts for the address that it comes from. */
    async passkey(address: string): Promise<Allowance> {
      const failure = await take([failuresOfAddress, address]);
      if (failure.kind === "locked") return failure;
      const login = await take([loginsOfAddress, address, wholeAttempt]);
      if (login.kind === "locked") await failure.refund();
      return login.kind === "locked" ? login : failure;
    },
    /** Clears the account's lock, after a mailed reset. */
    async clearPassword(email: string): Promise<void> {
      await Promise.all([failuresOfAccount, loginsOfAccount].map((each) => each.delete(keyOf(email))));
    },

    // Limits per network address:
    /** A challenge for a passkey, which is kept until it is answered or too old. */
    passkeyChallenge: takeFrom(limiter("passkey-challenge", 150, tenMinutes)),
    async signUp(address: string): Promise<HashingAllowance> {
      const allowance = await take([signUpsOfAddress, address, wholeAttempt]);
      if (allowance.kind === "locked") return allowance;
      const cancel = async () => {
        await allowance.refund();
        await signUpsOfAddress.penalty(keyOf(address));
      };
      return { ...allowance, cancel };
    },
    requestReset: takeFrom(limiter("reset-address", 50, tenMinutes)),
    link: takeFrom(limiter("link-address", 100, tenMinutes)),
    invitationLink: takeFrom(limiter("invitation-link", 200, tenMinutes)),
    search: (address: string): Promise<CallAllowance> => countWith(searches, maxSearches, address),
    /** A request for a calendar by its secret address. */
    calendar: takeFrom(brief("calendar", 60, minute)),
    /** Counts uploaded bytes of accounts without a verified email address. A refused file counts nothing. */
    async unverifiedUpload(address: string, bytes: number): Promise<Allowance> {
      const kilobytes = Math.ceil(bytes / 1024);
      const allowance = await take([unverifiedUploadsOfAddress, address, kilobytes]);
      if (allowance.kind === "locked") await unverifiedUploadsOfAddress.reward(keyOf(address), kilobytes);
      return allowance;
    },

    // Limits per email address, for all clients together:
    resetMail: takeFrom(limiter("reset-mail", 5, hour)),
    /** A mail to the address that an account wants to change to, which may belong to someone else. */
    changeMail: takeFrom(limiter("change-mail", 3, hour)),

    /** A mail about an invitation, counted for all agents so that they can't flood a stranger's mailbox together. */
    invitationMail: takeFrom(limiter("invitation-mail", 3, day)),

    // Limits per account, by its id:
    verificationMail: takeFrom(limiter("verification-mail", 5, hour)),
    mailboxCodeMail: takeFrom(limiter("mailbox-code-mail", 5, hour)),
    mailboxCode: takeFrom(limiter("mailbox-code", 10, tenMinutes)),
    emailChange: takeFrom(limiter("email-change", 5, hour)),
    upload: takeFrom(limiter("upload", 60, day)),
    message: takeFrom(limiter("message", messageLimits.hourlyMessages, hour)),
    messageFile: takeFrom(limiter("message-file", messageLimits.hourlyFiles, hour)),
    picture: takeFrom(limiter("picture", 200, day)),
    product: takeFrom(limiter("product", 50, day)),
    /** A question to a seller. */
    question: takeFrom(limiter("question", questionLimits.aDay, day)),
    /** A view of a student's identity details or files by an agent. */
    look: takeFrom(limiter("look", 30, hour)),
    /** An assignment of a student that an agent makes. */
    assignment: takeFrom(limiter("assignment", 10, hour)),
    /** A request for another agent, which notifies every admin. */
    agentChange: takeFrom(limiter("agent-change", 5, day)),
    /** An invitation that is sent, or sent again. */
    invitation: takeFrom(limiter("invitation", invitationLimits.aDay, day)),
    /** The preparation of an act on many students. */
    bulkRun: takeFrom(limiter("bulk-run", 60, hour)),
    /** A link to a file of students. */
    studentExport: takeFrom(limiter("student-export", 20, hour)),
    /** Requests that go out together, or a task, by an agent or admin. */
    ask: takeFrom(limiter("ask", 120, hour)),
    calendarAddress: takeFrom(limiter("calendar-address", 10, hour)),
    webhookTest: takeFrom(limiter("webhook-test", 10, hour)),
    /** A delivery that is sent again by hand. */
    webhookAgain: takeFrom(limiter("webhook-again", 60, hour)),
    /** A change with an idempotency key, whose response is stored. */
    keptAnswer: takeFrom(limiter("kept-answer", 2000, day)),
    /** Any change that an account makes. */
    write: (userId: string): Promise<CallAllowance> => countWith(writes, maxWrites, userId),
    /** A download of everything about an account, as a zip. */
    dataDownload: {
      take: takeFrom(dataDownloadsOfAccount),
      /** Checks whether another download is left, without counting it. */
      async left(userId: string): Promise<Allowance> {
        const counter = await dataDownloadsOfAccount.get(keyOf(userId));
        return counter === null || counter.remainingPoints > 0
          ? { kind: "allowed", refund: async () => {} }
          : lockedFor(counter);
      },
    },
    raise: createRaiseLimit(),

    /**
     * Counts a call of any procedure for the address that it comes from, and for the account. This machine's own
     * address is not counted: it belongs to a proxy that Wayfare doesn't know of, or to the operator.
     */
    async call(address: string, userId: string | null): Promise<{ kind: "allowed" } | Lockout> {
      if (isThisMachine(address)) return { kind: "allowed" };
      const ofAddress = await countCall("address", address);
      if (userId === null || ofAddress.kind === "locked") return ofAddress;
      return await countCall("account", userId);
    },
    /** Counts a call at /api/v1 for its address, before its caller is known. */
    async apiCall(address: string): Promise<CallAllowance> {
      if (isThisMachine(address)) return { kind: "allowed", rate: null };
      return await countCall("address", address);
    },
    apiCallOfAccount: (userId: string): Promise<CallAllowance> => countCall("account", userId),
    apiCallOfKey: (keyId: string): Promise<CallAllowance> => countCall("key", keyId),
    /**
     * Counts one message to the consultancy, for its address and for the network around that. Nobody can block the form
     * for others: when very many people write, the mail is only sent `later` seconds later.
     */
    async contact(address: string): Promise<{ kind: "allowed"; later: number } | Lockout> {
      const ofSender = await takeBoth(
        [messagesOfAddress, address],
        [messagesOfNetwork, widerNetwork(address)],
      );
      if (ofSender.kind === "locked") return ofSender;
      const ofAll = await take([messagesOfAll, "all"]);
      return { kind: "allowed", later: ofAll.kind === "locked" ? ofAll.retryAfter : 0 };
    },
    /**
     * Counts an error reported by a browser. The first one per address and hour is always accepted, so that nobody can
     * silence others by using up the shared allowance.
     */
    async browserError(address: string, userId: string | null): Promise<Allowance> {
      const ofSender = await takeBoth([reportsOfAddress, address], [reportsOfAccount, userId ?? address]);
      if (ofSender.kind === "locked") return ofSender;
      const first = await take([firstReportOfAddress, address]);
      return first.kind === "allowed" ? first : await take([reportsOfAll, "all"]);
    },
  };
}
