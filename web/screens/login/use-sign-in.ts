import { useState } from "react";
import { type Credentials, credentialsProblem } from "#domain/sign-in.ts";
import { rpc } from "../../lib/rpc.ts";
import { setViewer } from "../../lib/viewer.ts";

const codeMissing = (error: unknown) =>
  error instanceof Error && Reflect.get(error, "code") === "account/second-factor";

/**
 * Logs in (spec 2, 4, 5); the guard of the screen goes on as soon as somebody is signed in. An admin with a second
 * factor is asked for its code once the password was right.
 */
export function useSignIn() {
  const [asksForCode, setAsksForCode] = useState(false);
  async function send(credentials: Credentials) {
    try {
      await setViewer(await rpc.account.signIn(credentials));
    } catch (error) {
      if (!codeMissing(error) || asksForCode) throw error;
      setAsksForCode(true);
    }
  }
  const fields = asksForCode ? (["email", "password", "code"] as const) : (["email", "password"] as const);
  return { asksForCode, fields, check: credentialsProblem, send };
}
