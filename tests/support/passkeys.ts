import type { AuthenticatorDevice, Creation, Deviation, Request } from "./authenticator-device.ts";
import type { Caller } from "./caller.ts";

/** Requests a procedure's options for an authenticator. */
export const optionsOf = async (caller: Caller, procedure: string) =>
  (await caller.call(procedure)).body as Creation & Request;

/** Returns the id of a caller's only passkey. */
export async function onlyPasskey(caller: Caller): Promise<string> {
  const { passkeys } = await caller.api.signInMethods.mine();
  const [only, ...more] = passkeys;
  if (!only || more.length > 0) throw new Error(`there are ${passkeys.length} passkeys`);
  return only.id;
}

/** Adds a device's passkey to the account of a caller who has just logged in. */
export async function addPasskey(caller: Caller, device: AuthenticatorDevice, deviation: Deviation = {}) {
  return await caller.call("signInMethods.addPasskey", {
    passkey: device.create(await optionsOf(caller, "signInMethods.startPasskey"), deviation),
  });
}
