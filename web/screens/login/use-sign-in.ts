import { useState } from "react";
import { hasCode } from "#domain/friendly-error.ts";
import { type Credentials, credentialsProblem } from "#domain/sign-in.ts";
import { rpc } from "../../lib/rpc.ts";
import { welcome } from "../../lib/welcome.ts";

/**
 * Logs in; the screen's guard moves on as soon as somebody is signed in. People with an authenticator app are asked for
 * its code once the password was right.
 */
export function useSignIn() {
  const [asksForCode, setAsksForCode] = useState(false);
  /** Returns whether this signed somebody in: false if a code is asked for first. */
  async function send(credentials: Credentials): Promise<boolean> {
    try {
      await welcome(await rpc.account.signIn(credentials));
      return true;
    } catch (error) {
      if (!hasCode(error, "account/second-factor") || asksForCode) throw error;
      setAsksForCode(true);
      return false;
    }
  }
  const fields = asksForCode ? (["email", "password", "code"] as const) : (["email", "password"] as const);
  return { asksForCode, fields, check: credentialsProblem, send };
}
