import { createHmac, timingSafeEqual } from "node:crypto";
import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import { z } from "zod";
import type { Database } from "#server/platform/database.ts";
import * as schema from "./tables.ts";

/** scrypt, as the identity library does it; tests put a counting one in its place. */
export type Passwords = {
  hash(password: string): Promise<string>;
  verify(data: { hash: string; password: string }): Promise<boolean>;
};
export const scryptPasswords: Passwords = { hash: hashPassword, verify: verifyPassword };

type Settings = { baseUrl: string; secret: string; passwords: Passwords };
export type Identity = Awaited<ReturnType<typeof createIdentity>>;

/** Seconds that a login lasts: 30 days; for an admin until the browser closes, at most a day. */
const sessionSeconds = 30 * 24 * 60 * 60;

/** Our own way into the library: a session for somebody whose right to one our commands have decided. */
const openSession = {
  id: "wayfare",
  endpoints: {
    openSession: createAuthEndpoint(
      "/open-session",
      {
        method: "POST",
        metadata: { SERVER_ONLY: true },
        body: z.object({ userId: z.string(), brief: z.boolean() }),
      },
      async (ctx) => {
        const { userId, brief } = ctx.body;
        const user = await ctx.context.internalAdapter.findUserById(userId);
        if (!user) throw new Error("a session for an account that does not exist");
        const session = await ctx.context.internalAdapter.createSession(userId, brief);
        await setSessionCookie(ctx, { session, user }, brief);
        return { sessionId: session.id };
      },
    ),
  },
};

/**
 * The identity library behind a small door: sessions with signed cookies, password hashes, one-time tokens. Its
 * writes join the caller's transaction; its HTTP handler is never mounted.
 */
export async function createIdentity(database: Database, { baseUrl, secret, passwords }: Settings) {
  const secure = baseUrl.startsWith("https:");
  const auth = betterAuth({
    baseURL: baseUrl,
    secret,
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: { disabled: true },
    database: drizzleAdapter(database.ambient, { provider: "pg", schema, transaction: false }),
    session: { expiresIn: sessionSeconds },
    verification: { storeIdentifier: "hashed" },
    user: {
      additionalFields: Object.fromEntries(
        ["role", "status", "firstName", "lastName", "phone", "agency", "country", "termsVersion"].map(
          (field) => [field, { type: "string", input: false, required: false }],
        ),
      ),
    },
    advanced: {
      cookiePrefix: "wayfare",
      useSecureCookies: false,
      ...(secure && {
        cookies: { session_token: { name: "__Host-wayfare", attributes: { secure: true, path: "/" } } },
        defaultCookieAttributes: { secure: true },
      }),
    },
    plugins: [openSession],
  });
  const context = await auth.$context;
  const cookie = context.authCookies.sessionToken;
  // What is verified when there is no account: the same work, never right.
  const decoy = await passwords.hash(crypto.randomUUID());

  return {
    passwords,
    /** Exactly one verification, whether or not there is a hash to verify against. */
    async isRightPassword(hash: string | null, password: string): Promise<boolean> {
      const right = await passwords.verify({ hash: hash ?? decoy, password });
      return hash !== null && right;
    },
    /** Opens a session in the caller's transaction. Send the cookies only after its commit. */
    async openSession(userId: string, brief: boolean): Promise<string[]> {
      const { headers } = await auth.api.openSession({
        body: { userId, brief },
        headers: new Headers(),
        returnHeaders: true,
      });
      return headers.getSetCookie();
    },
    /** The cookies that end a session in the browser. */
    closingCookies: () => [
      `${cookie.name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`,
    ],
    /** One-time tokens, kept by their hash. */
    tokens: context.internalAdapter,
    secure,
    readCookie: createCookieReader(cookie.name, secret),
  };
}

/** Signatures that were right, remembered so that each is computed once; some 200 bytes each. */
const mostSignatures = 10_000;

/** Reads the session token out of a Cookie header: null unless it is there and signed by us. */
function createCookieReader(name: string, secret: string) {
  const start = `${name}=`;
  const right = new Map<string, string>();

  function verify(cookie: string): string | null {
    const value = decodeCookie(cookie);
    const dot = value.lastIndexOf(".");
    if (dot < 1) return null;
    const token = value.slice(0, dot);
    const given = Buffer.from(value.slice(dot + 1));
    const want = Buffer.from(createHmac("sha256", secret).update(token).digest("base64"));
    if (given.length !== want.length || !timingSafeEqual(given, want)) return null;
    if (right.size >= mostSignatures) right.clear();
    right.set(cookie, token);
    return token;
  }

  return (header: string | null): string | null => {
    const part = header?.split(/; */).find((entry) => entry.startsWith(start));
    if (part === undefined) return null;
    const cookie = part.slice(start.length);
    return right.get(cookie) ?? verify(cookie);
  };
}

function decodeCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}
