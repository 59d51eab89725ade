import { Button, Skeleton, Text } from "@mantine/core";
import { Link } from "react-router";
import { mailedLinkMeta } from "../../lib/page-meta.ts";
import { useMailedToken } from "../../lib/use-mailed-token.ts";
import { AuthPage } from "../../ui/auth-page.tsx";
import { ResetRequest } from "./reset-request.tsx";
import { SetPassword } from "./set-password.tsx";

export const meta = () => mailedLinkMeta("Reset password");

/** Without a token the request for a link, with one the link's own screen (product decisions, "Reset"). */
export default function ResetPassword() {
  const token = useMailedToken();
  if (token === undefined) return <NotKnownYet />;
  return token ? <SetPassword token={token} /> : <AskForLink />;
}

/** The page built ahead of time is one for both: it shows neither, so that nothing flashes up that is not meant. */
const NotKnownYet = () => (
  <AuthPage title="Your password">
    <Skeleton h={230} />
  </AuthPage>
);

function AskForLink() {
  return (
    <AuthPage title="Reset your password">
      <ResetRequest />
      <Text mt="lg">
        Remembered it?{" "}
        <Button component={Link} to="/login" variant="default" size="compact-md">
          Login here
        </Button>
      </Text>
    </AuthPage>
  );
}
