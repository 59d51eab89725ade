import { createHash } from "node:crypto";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible";
import { isThisMachine, widerNetwork } from "#server/platform/client-address.ts";
import type { Database } from "#server/platform/database.ts";
import { LeasedLimiter } from "#server/platform/leased-limiter.ts";
import type { Allowance, CallAllowance, Locked, PasswordAllowance } from "./allowance.ts";

const tenMinutes = 600;
/** Calls in a minute. */
const mostCalls = { account: 1200, address: 6000, key: 600 };
export type Limits = ReturnType<typeof createLimits>;
/** Counters hold no addresses of people, known or unknown. */
export const keyOf = (text: string) => createHash("sha256").update(text).digest("base64url");

/**
 * Limits on attempts, counted in PostgreSQL for all nodes together. An attempt is counted before it is made, so that
 * many at once can't pass together, and given back when it was no failure.
 */
export function createLimits(database: Database) {
  const limiter = (keyPrefix: string, points: number, duration = tenMinutes) =>
    new RateLimiterPostgres({
      storeClient: database.pool,
      storeType: "pool",
      tableName: "rate_limit",
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration,
    });

  const failuresOfAccount = limiter("sign-in-account", 10);
  const failuresOfAddress = limiter("sign-in-address", 50);
  // Right logins cost work too: what is counted here is never given back, so that 20 and 100 of them remain.
  const loginsOfAccount = limiter("login-account", 30);
  const loginsOfAddress = limiter("login-address", 150);
  const signUpsOfAddress = limiter("sign-up-address", 100);
  const resetsOfAddress = limiter("reset-address", 50);
  const resetMailsOfAccount = limiter("reset-mail", 5, 3600);
  const verificationsOfAccount = limiter("verification-mail", 5, 3600);
  const mailboxCodeMailsOfAccount = limiter("mailbox-code-mail", 5, 3600);
  const mailboxCodesOfAccount = limiter("mailbox-code", 10);
  const emailChangesOfAccount = limiter("email-change", 5, 3600);
  const uploadsOfAccount = limiter("upload", 60, 24 * 3600);
  const picturesOfAccount = limiter("picture", 200, 24 * 3600);
  const productsOfAccount = limiter("product", 50, 24 * 3600);
  const messagesOfAddress = limiter("contact-address", 5, 3600);
  const messagesOfNetwork = limiter("contact-network", 20, 3600);
  const messagesOfAll = limiter("contact", 60, 3600);
  const looksOfAgent = limiter("look", 30, 3600);
  const assignmentsOfAgent = limiter("assignment", 10, 3600);
  const challengesOfAddress = limiter("passkey-challenge", 150);
  const dataDownloadsOfAccount = limiter("data-download", 5, 24 * 3600);
  const linksOfAddress = limiter("link-address", 100);
  const webhookTestsOfAccount = limiter("webhook-test", 10, 3600);
  const webhooksAgainOfAccount = limiter("webhook-again", 60, 3600);

  const keptAnswersOfAccount = limiter("kept-answer", 2000, 24 * 3600);

  // What is counted often, and hardly ever given back: who is beyond it is remembered by the node, and costs no query.
  const brief = (keyPrefix: string, points: number, duration = 60) =>
    new RateLimiterPostgres({
      storeClient: database.pool,
      storeType: "pool",
      tableName: "brief_limit",
      tableCreated: true,
      clearExpiredByTimeout: false,
      inMemoryBlockOnConsumed: points + 1,
      keyPrefix,
      points,
      duration,
    });
  const writesOfAccount = brief("write", 120);
  const searchesOfAddress = brief("search", 120);
  const callsOfAccount = new LeasedLimiter(brief("call-account", mostCalls.account), 20);
  const callsOfAddress = new LeasedLimiter(brief("call-address", mostCalls.address), 100);
  const callsOfKey = new LeasedLimiter(brief("call-key", mostCalls.key), 20);

  // What a browser reports costs a line of the log: few from one place, and from all together.
  const reportsOfAddress = brief("report-address", 20, tenMinutes);
  const reportsOfAccount = brief("report-account", 20, tenMinutes);
  const reportsOfAll = brief("report", 300, 3600);

  // In the node's memory: it is looked at with every bid, and nothing on a bid's way waits for a counter.
  const raisesOfAccount = new RateLimiterMemory({ points: 60, duration: 60 });

  const lockedFor = ({ msBeforeNext }: RateLimiterRes): Locked => ({
    kind: "locked",
    retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  });

  async function take(from: RateLimiterAbstract, about: string): Promise<Allowance> {
    const key = keyOf(about);
    try {
      await from.consume(key);
      return { kind: "allowed", refund: async () => void (await from.reward(key)) };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return lockedFor(error);
    }
  }

  /** One call of /api/v1, and how many are left of its kind. */
  async function called(
    kind: keyof typeof mostCalls,
    from: LeasedLimiter,
    about: string,
  ): Promise<CallAllowance> {
    const limit = mostCalls[kind];
    try {
      const { remaining, reset } = await from.consume(keyOf(about));
      const seconds = Math.max(1, Math.ceil(reset / 1000));
      return { kind: "allowed", rate: { limit, remaining: Math.min(remaining, limit), reset: seconds } };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const locked = lockedFor(error);
      return { ...locked, rate: { limit, remaining: 0, reset: locked.retryAfter } };
    }
  }

  /** Takes from both or from none. */
  async function takeBoth(first: () => Promise<Allowance>, second: () => Promise<Allowance>) {
    const one = await first();
    if (one.kind === "locked") return one;
    const other = await second();
    if (other.kind === "locked") {
      await one.refund();
      return other;
    }
    const refund = async () => void (await Promise.all([one.refund(), other.refund()]));
    return { kind: "allowed", refund } as const;
  }

  return {
    /**
     * One attempt at a password. A failure counts for the address that it comes from, and for the browser if the
     * account knows it, otherwise for the account, which may not exist.
     */
    async password(email: string, address: string, device: string | null): Promise<PasswordAllowance> {
      const failure = await takeBoth(
        () => take(failuresOfAddress, address),
        () => take(failuresOfAccount, device === null ? email : `device ${device}`),
      );
      if (failure.kind === "locked") return failure;
      const login = await takeBoth(
        () => take(loginsOfAddress, address),
        () => take(loginsOfAccount, email),
      );
      if (login.kind === "locked") {
        await failure.refund();
        return login;
      }
      const cancel = async () => void (await Promise.all([failure.refund(), login.refund()]));
      return { ...failure, cancel };
    },
    /** One attempt at a login with a passkey; a failure counts for the address that it comes from. */
    async passkey(address: string): Promise<Allowance> {
      const failure = await take(failuresOfAddress, address);
      if (failure.kind === "locked") return failure;
      const login = await take(loginsOfAddress, address);
      if (login.kind === "locked") await failure.refund();
      return login.kind === "locked" ? login : failure;
    },
    /** A challenge for a passkey, which is kept until it is answered or too old. */
    passkeyChallenge: (address: string) => take(challengesOfAddress, address),
    /** A mailed reset clears the account's lock. */
    async clearPassword(email: string): Promise<void> {
      await Promise.all([failuresOfAccount, loginsOfAccount].map((each) => each.delete(keyOf(email))));
    },
    signUp: (address: string) => take(signUpsOfAddress, address),
    requestReset: (address: string) => take(resetsOfAddress, address),
    resetMail: (email: string) => take(resetMailsOfAccount, email),
    verificationMail: (userId: string) => take(verificationsOfAccount, userId),
    mailboxCodeMail: (userId: string) => take(mailboxCodeMailsOfAccount, userId),
    /** An attempt at an emailed code. */
    mailboxCode: (userId: string) => take(mailboxCodesOfAccount, userId),
    emailChange: (userId: string) => take(emailChangesOfAccount, userId),
    upload: (userId: string) => take(uploadsOfAccount, userId),
    picture: (userId: string) => take(picturesOfAccount, userId),
    product: (userId: string) => take(productsOfAccount, userId),
    /**
     * A call of any procedure: counts for the address that it comes from, and for the account. This machine's own
     * address is nobody's: it is a proxy's that Wayfare was not told of, or the operator's.
     */
    async call(address: string, userId: string | null): Promise<{ kind: "allowed" } | Locked> {
      if (isThisMachine(address)) return { kind: "allowed" };
      try {
        await callsOfAddress.consume(keyOf(address));
        if (userId !== null) await callsOfAccount.consume(keyOf(userId));
        return { kind: "allowed" };
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        return lockedFor(error);
      }
    },
    /** The same at /api/v1, before anybody knows who asks: for the address. */
    async apiCall(address: string): Promise<CallAllowance> {
      const limit = mostCalls.address;
      if (isThisMachine(address)) return { kind: "allowed", rate: { limit, remaining: limit, reset: 60 } };
      return await called("address", callsOfAddress, address);
    },
    /** Afterwards for the account and, with a key, for the key too, whose limit the answer states. */
    async apiCallOf(userId: string, keyId: string | null): Promise<CallAllowance> {
      const ofAccount = await called("account", callsOfAccount, userId);
      if (keyId === null || ofAccount.kind === "locked") return ofAccount;
      return await called("key", callsOfKey, keyId);
    },
    /** A change that may be sent again, whose answer is kept. */
    keptAnswer: (userId: string) => take(keptAnswersOfAccount, userId),
    search: (address: string) => take(searchesOfAddress, address),
    /** Anything that an account changes. */
    write: (userId: string) => take(writesOfAccount, userId),
    /** Raises of one's own highest bid, which cost others nothing but room. */
    raise: {
      count: async (userId: string, productId: string) =>
        void (await raisesOfAccount.penalty(`${userId} ${productId}`)),
      /** Seconds to wait after too many of them; 0: none. */
      async wait(userId: string, productId: string): Promise<number> {
        const counted = await raisesOfAccount.get(`${userId} ${productId}`);
        return counted && counted.remainingPoints <= 0 ? Math.ceil(counted.msBeforeNext / 1000) : 0;
      },
    },
    /** An agent's look at a student's identity details or files. */
    look: (agentId: string) => take(looksOfAgent, agentId),
    /** An agent's taking on of a student. */
    assignment: (agentId: string) => take(assignmentsOfAgent, agentId),
    /**
     * One message to the consultancy: counts for the address it comes from and for the network around that. Nobody can
     * close the form for others: when very many write, the mail only leaves so many seconds later.
     */
    async contact(
      address: string,
    ): Promise<{ kind: "allowed"; later: number } | { kind: "locked"; retryAfter: number }> {
      const ofAddress = await take(messagesOfAddress, address);
      if (ofAddress.kind === "locked") return ofAddress;
      const ofNetwork = await take(messagesOfNetwork, widerNetwork(address));
      if (ofNetwork.kind === "locked") {
        await ofAddress.refund();
        return ofNetwork;
      }
      const ofAll = await take(messagesOfAll, "all");
      return { kind: "allowed", later: ofAll.kind === "locked" ? ofAll.retryAfter : 0 };
    },
    /** Everything about an account, as a zip. */
    dataDownload: {
      take: (userId: string) => take(dataDownloadsOfAccount, userId),
      /** Whether another one is left, without counting it. */
      async left(userId: string): Promise<Allowance> {
        const counted = await dataDownloadsOfAccount.get(keyOf(userId));
        if (counted === null || counted.remainingPoints > 0)
          return { kind: "allowed", refund: async () => {} };
        return { kind: "locked", retryAfter: Math.max(1, Math.ceil(counted.msBeforeNext / 1000)) };
      },
    },
    link: (address: string) => take(linksOfAddress, address),
    /** An event that somebody sends to see whether their webhook works. */
    webhookTest: (userId: string) => take(webhookTestsOfAccount, userId),
    /** A delivery that somebody sends again by hand. */
    webhookAgain: (userId: string) => take(webhooksAgainOfAccount, userId),
    /** An error that somebody's browser reports. */
    async browserError(address: string, userId: string | null): Promise<Allowance> {
      const ofSender = await takeBoth(
        () => take(reportsOfAddress, address),
        () => take(reportsOfAccount, userId ?? address),
      );
      return ofSender.kind === "locked" ? ofSender : await take(reportsOfAll, "all");
    },
  };
}
