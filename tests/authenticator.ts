import { Secret, TOTP } from "otpauth";
import { z } from "zod";
import type { Person } from "./factories.ts";

const offered = z.object({ key: z.string() });
const shown = z.object({ recoveryCodes: z.array(z.string()) });

/**
 * What an authenticator app shows that has this key: `steps` of 30 seconds from now. The server takes the step before
 * and the one after as well, and each step once.
 */
export const codeOf = (key: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** A code that is not right now, nor a step before or after. */
export function wrongCodeOf(key: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(key, steps)));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !near.has(code)) ?? "";
}

type Calls = { call(procedure: string, input: object): Promise<unknown> };

/**
 * Sets an app up for somebody who has just logged in. `used`: the code that it took; the next one that is right is that
 * of a step on, also if the clock has gone on meanwhile.
 */
export async function withAuthenticator(who: Calls) {
  const { key } = offered.parse(await who.call("signInMethods.startAuthenticator", {}));
  const used = codeOf(key);
  const answer = await who.call("signInMethods.confirmAuthenticator", { code: used });
  return { key, used, recoveryCodes: shown.parse(answer).recoveryCodes };
}

/** The same at a caller of tests. */
export const authenticatorOf = ({ caller }: Pick<Person, "caller">) =>
  withAuthenticator({ call: async (procedure, input) => (await caller.call(procedure, input)).body });
