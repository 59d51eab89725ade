import { argon2, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { HashingQueue, type HashingSlot } from "./hashing-queue.ts";

/** Operators' commands queue under an address of their own. */
const operator: HashingSlot = { address: "operator", isKnown: true };

/** A password and the hash that it is checked against; `hash` is null if the account has none. */
export type Attempt = {
  hash: string | null;
  password: string;
  /**
   * Whether a wrong password has to take as long as one for an older hash, so that the time doesn't reveal which
   * accounts exist. Needed while the database has older hashes.
   */
  supersedesOlder?: boolean;
};

/**
 * Hashes and verifies passwords; tests replace it with one that counts. Both methods may refuse while too many calls
 * wait. `turn` is that of a request's caller; the default is the operator's.
 */
export type Passwords = {
  hash(password: string, turn?: HashingSlot): Promise<string>;
  /** Does the same work for every hash, and for a missing one, which no password matches. */
  verify(attempt: Attempt, turn?: HashingSlot): Promise<boolean>;
  /** Whether a hash should be replaced at the next correct password. */
  isOutdated(hash: string): boolean;
};

/** argon2id's parameters; `memory` is in KiB. */
export type Cost = { memory: number; passes: number; parallelism: number };
/** OWASP's recommendation for 19 MiB. */
const current: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const keyLength = 32;

/** scrypt's parameters: memory is 128 × N × r bytes, work is N × r × p. Earlier versions hashed with it. */
type OlderCost = { N: number; r: number; p: number };
const olderCost: OlderCost = { N: 2 ** 15, r: 8, p: 3 };
/**
 * Costs of the oldest hashes (`salt:key`), which have no parameters of their own. Verifying one does the work of the
 * other costs too.
 */
const oldestCosts: readonly OlderCost[] = [
  { N: 2 ** 14, r: 16, p: 1 },
  { N: 2 ** 15, r: 8, p: 2 },
];
const olderKeyLength = 64;

type StoredHash =
  | { kind: "current"; cost: Cost; salt: Buffer; key: Buffer }
  | { kind: "older"; costs: readonly OlderCost[]; salt: string; key: Buffer };

function parse(hash: string): StoredHash | null {
  const [, m, t, p, salt, key] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash) ?? [];
  if (salt !== undefined && key !== undefined)
    return {
      kind: "current",
      cost: { memory: Number(m), passes: Number(t), parallelism: Number(p) },
      salt: Buffer.from(salt, "base64"),
      key: Buffer.from(key, "base64"),
    };
  const [, N, r, olderP, olderSalt, olderKey] =
    /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\da-f]+)\$([\da-f]+)$/.exec(hash) ?? [];
  if (olderSalt !== undefined && olderKey !== undefined) {
    const costs = [{ N: Number(N), r: Number(r), p: Number(olderP) }];
    return { kind: "older", costs, salt: olderSalt, key: Buffer.from(olderKey, "hex") };
  }
  const [, oldestSalt, oldestKey] = /^([\da-f]+):([\da-f]+)$/.exec(hash) ?? [];
  if (oldestSalt === undefined || oldestKey === undefined) return null;
  return { kind: "older", costs: oldestCosts, salt: oldestSalt, key: Buffer.from(oldestKey, "hex") };
}

const deriveArgon = promisify(argon2);

const derive = (password: string, salt: Buffer, cost: Cost): Promise<Buffer> =>
  deriveArgon("argon2id", { message: password, nonce: salt, tagLength: keyLength, ...cost });

const deriveOne = (password: string, salt: string, { N, r, p }: OlderCost) =>
  new Promise<Buffer>((resolve, reject) => {
    // Node refuses more than 32 MiB by default.
    scrypt(password, salt, olderKeyLength, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

/** Returns the key of the first cost, after doing the work of the others too. */
async function deriveOlder(password: string, salt: string, costs: readonly OlderCost[]): Promise<Buffer> {
  const keys: Buffer[] = [];
  for (const cost of costs) keys.push(await deriveOne(password, salt, cost));
  return keys[0] ?? Buffer.alloc(0);
}

const isEqual = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
const newSalt = () => randomBytes(16);
/** Encodes as base64 without padding, as PHC strings do. */
const base64Of = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

/** `cost` is the cost of new hashes. Tests take a lower one than production. */
export function createPasswords(queue: HashingQueue, cost: Cost): Passwords {
  const prefix = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`;

  async function isCorrect({ hash, supersedesOlder = false }: Attempt, password: string): Promise<boolean> {
    const digest = hash === null ? null : parse(hash);
    if (digest?.kind === "older") {
      const key = await deriveOlder(password, digest.salt, digest.costs);
      if (isEqual(key, digest.key)) return true;
      await derive(password, newSalt(), cost);
      return false;
    }
    const key = await derive(password, digest?.salt ?? newSalt(), digest?.cost ?? cost);
    if (digest !== null && isEqual(key, digest.key)) return true;
    if (supersedesOlder) await deriveOlder(password, newSalt().toString("hex"), [olderCost]);
    return false;
  }

  return {
    async hash(password, turn = operator) {
      const salt = newSalt();
      const key = await queue.run(turn, () => derive(password.normalize("NFKC"), salt, cost));
      return `${prefix}${base64Of(salt)}$${base64Of(key)}`;
    },
    verify: (attempt, turn = operator) =>
      queue.run(turn, () => isCorrect(attempt, attempt.password.normalize("NFKC"))),
    isOutdated: (hash) => !hash.startsWith(prefix),
  };
}

/** One queue serves the whole process, however many servers run in it. */
export const argonPasswords: Passwords = createPasswords(new HashingQueue(), current);
