import { Secret, TOTP } from "otpauth";
import { z } from "zod";
import type { Person } from "./factories.ts";

const setup = z.object({ key: z.string() });
const confirmation = z.object({ recoveryCodes: z.array(z.string()) });

/**
 * Returns the code that an authenticator app with this key shows `steps` of 30 seconds from now. The server also
 * accepts the codes of the step before and the step after, but each code only once.
 */
export const codeOf = (key: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Returns a code that is wrong now and within two steps. */
export function wrongCodeOf(key: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(key, steps)));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !near.has(code)) ?? "";
}

type Calls = { call(procedure: string, input: object): Promise<unknown> };

/**
 * Sets up an app for a caller who has just logged in. `used` is the code that confirmed it. The next valid code is that
 * of the following step, even if the clock has moved on meanwhile.
 */
export async function withAuthenticator(who: Calls) {
  const { key } = setup.parse(await who.call("signInMethods.startAuthenticator", {}));
  const used = codeOf(key);
  const answer = await who.call("signInMethods.confirmAuthenticator", { code: used });
  return { key, used, recoveryCodes: confirmation.parse(answer).recoveryCodes };
}

/** Sets up an app for a person. */
export const authenticatorOf = ({ caller }: Pick<Person, "caller">) =>
  withAuthenticator({ call: async (procedure, input) => (await caller.call(procedure, input)).body });
