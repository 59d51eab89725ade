import type { AuthenticatorDevice, Creation, Deviation, Request } from "./authenticator-device.ts";
import type { Caller } from "./caller.ts";

/** What a procedure asks an authenticator for. */
export const asked = async (caller: Caller, procedure: string) =>
  (await caller.call(procedure)).body as Creation & Request;

/** Adds a device's passkey to the account of whoever has just logged in. */
export async function addPasskey(caller: Caller, device: AuthenticatorDevice, deviation: Deviation = {}) {
  const made = device.create(await asked(caller, "signInMethods.startPasskey"), deviation);
  return await caller.call("signInMethods.addPasskey", { passkey: made });
}
