import { type Credentials, credentialsProblem } from "#domain/sign-in.ts";
import { rpc } from "../../lib/rpc.ts";
import { welcome } from "../../lib/welcome.ts";
import { usePasswordAndCode } from "../../ui/form/password-and-code.tsx";

/** Logs in; the screen's guard redirects as soon as the viewer is signed in. */
export function useSignIn() {
  const { fields, ...rest } = usePasswordAndCode(async (credentials: Credentials) =>
    welcome(await rpc.account.signIn(credentials)),
  );
  return { ...rest, fields: ["email", ...fields] as const, check: credentialsProblem };
}
