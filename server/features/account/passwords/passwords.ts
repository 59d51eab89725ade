import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Cost } from "./messages.ts";
import { type HashingTurn, ScryptQueue } from "./scrypt-queue.ts";

/** The operator's own commands, which wait for nobody's turn but their own. */
const operator: HashingTurn = { address: "operator", isKnown: true };

/**
 * How passwords are kept; tests put a counting one in its place. Hashing and verifying may refuse while too many wait.
 * `turn` is the turn of whoever asks, and the operator's without it.
 */
export type Passwords = {
  hash(password: string, turn?: HashingTurn): Promise<string>;
  /** The same work for every hash, and for none, to which no password is right. */
  verify(data: { hash: string | null; password: string }, turn?: HashingTurn): Promise<boolean>;
  /** Whether a hash is to be made anew once the password is at hand. */
  isOutdated(hash: string): boolean;
};

/** OWASP's and ASVS's parameters for 32 MiB. */
const current: Cost = { N: 2 ** 15, r: 8, p: 3 };
/** Of hashes without parameters (`salt:key`), as earlier versions stored them; what they lack in work is added. */
const older: Cost = { N: 2 ** 14, r: 16, p: 1 };
const added: Cost = { N: 2 ** 15, r: 8, p: 2 };

type Parsed = { costs: readonly Cost[]; salt: string; key: string };

function parse(hash: string): Parsed | null {
  const [, N, r, p, salt, key] = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\da-f]+)\$([\da-f]+)$/.exec(hash) ?? [];
  if (salt !== undefined && key !== undefined)
    return { costs: [{ N: Number(N), r: Number(r), p: Number(p) }], salt, key };
  const [, olderSalt, olderKey] = /^([\da-f]+):([\da-f]+)$/.exec(hash) ?? [];
  if (olderSalt === undefined || olderKey === undefined) return null;
  return { costs: [older, added], salt: olderSalt, key: olderKey };
}

const newSalt = () => randomBytes(16).toString("hex");

/** `cost`: of new hashes. Tests take a lower one than `scryptPasswords`. */
export function createPasswords(queue: ScryptQueue, cost: Cost): Passwords {
  const prefix = `scrypt$${cost.N}$${cost.r}$${cost.p}$`;
  const derive = async (password: string, salt: string, costs: readonly Cost[], turn: HashingTurn) => {
    const [key = ""] = await queue.derive(password.normalize("NFKC"), salt, costs, turn);
    return key;
  };
  return {
    async hash(password, turn = operator) {
      const salt = newSalt();
      return `${prefix}${salt}$${await derive(password, salt, [cost], turn)}`;
    },
    async verify({ hash, password }, turn = operator) {
      const stored = hash === null ? null : parse(hash);
      const { costs, salt, key } = stored ?? { costs: [cost], salt: newSalt(), key: "" };
      const [given, want] = [Buffer.from(await derive(password, salt, costs, turn)), Buffer.from(key)];
      return given.length === want.length && timingSafeEqual(given, want);
    },
    isOutdated: (hash) => !hash.startsWith(prefix),
  };
}

/** One queue for the whole process, however many servers are in it. */
export const scryptPasswords: Passwords = createPasswords(new ScryptQueue(), current);
