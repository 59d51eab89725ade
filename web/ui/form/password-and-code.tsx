import { useState } from "react";
import { messageOf } from "#domain/error-catalogue.ts";
import { hasCode } from "#domain/friendly-error.ts";
import { CodeField, PasswordField } from "./fields.tsx";

/** Sends a password. People with an authenticator app are asked for its code once the password is correct. */
export function usePasswordAndCode<Credentials>(send: (credentials: Credentials) => Promise<unknown>) {
  const [asksForCode, setAsksForCode] = useState(false);
  return {
    fields: asksForCode ? (["password", "code"] as const) : (["password"] as const),
    asksForCode,
    /** Returns false if a code is needed first. */
    async send(credentials: Credentials): Promise<boolean> {
      try {
        await send(credentials);
        return true;
      } catch (error) {
        if (!hasCode(error, "account/second-factor") || asksForCode) throw error;
        setAsksForCode(true);
        return false;
      }
    },
  };
}

export const PasswordAndCode = ({ asksForCode }: { asksForCode: boolean }) => (
  <>
    <PasswordField name="password" label="Password" autoComplete="current-password" />
    {asksForCode && <CodeField focused orRecovery description={messageOf["account/second-factor"]} />}
  </>
);
