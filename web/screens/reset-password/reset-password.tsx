import { noReferrer, publicMeta } from "../../lib/page-meta.ts";
import { useMailedToken } from "../../lib/use-mailed-token.ts";
import { Aside, AuthPage } from "../../ui/auth-page.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ResetRequest } from "./reset-request.tsx";
import { SetPassword } from "./set-password.tsx";

const description =
  "Forgot your password? Ask for a link to your Wayfare account’s address, and set a new one with it.";
export const meta = () => [...publicMeta("/reset-password", "Reset password", description), noReferrer];

/** Without a token the request for a link, with one the link's own screen (product decisions, "Reset"). */
export default function ResetPassword() {
  const token = useMailedToken();
  if (token === undefined) return <NotKnownYet />;
  return token ? <SetPassword token={token} /> : <AskForLink />;
}

/** The page built ahead of time is one for both: it shows neither, so that nothing flashes up that is not meant. */
const NotKnownYet = () => (
  <AuthPage
    title="Your password"
    lead="Here you set a new password, by the link from our mail. If you have none, we send you one."
  >
    <Skeleton h={230} label="Loading" />
  </AuthPage>
);

function AskForLink() {
  return (
    <AuthPage title="Reset your password">
      <ResetRequest />
      <Aside>
        Remembered it?{" "}
        <LinkButton to="/login" size="compact-md">
          Login here
        </LinkButton>
      </Aside>
    </AuthPage>
  );
}
