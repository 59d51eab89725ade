import { noReferrer, publicMeta } from "../../lib/page-meta.ts";
import { tokenOnly } from "../../lib/rendered-once.ts";
import { useMailedToken } from "../../lib/use-mailed-token.ts";
import { useNext } from "../../lib/use-next.ts";
import { Aside, AuthPage } from "../../ui/auth-page.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ResetRequest } from "./reset-request.tsx";
import { SetPassword } from "./set-password.tsx";

const description = "Forgot your Wayfare password? We’ll email you a link to set a new one.";
export const meta = () => [...publicMeta("/reset-password", "Reset password", description), noReferrer];

/** Without a token the request for a link, with one the link's own screen. */
export const handle = tokenOnly;

export default function ResetPassword() {
  const token = useMailedToken();
  if (token === undefined) return <NotKnownYet />;
  return token ? <SetPassword token={token} /> : <AskForLink />;
}

/** The page built ahead of time is one for both: it shows neither, so that nothing flashes up that is not meant. */
const NotKnownYet = () => (
  <AuthPage title="Your password" lead="Use the link we emailed you, or ask for a new one.">
    <Skeleton h={230} label="Loading" />
  </AuthPage>
);

function AskForLink() {
  const withNext = useNext();
  return (
    <AuthPage title="Reset your password">
      <ResetRequest />
      <Aside>
        Remembered it?{" "}
        <LinkButton to={withNext("/login")} size="compact-md">
          Login here
        </LinkButton>
      </Aside>
    </AuthPage>
  );
}
