import { useQuery } from "@tanstack/react-query";
import { mayManageStudents } from "#domain/permission.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { useViewer } from "../../lib/viewer.ts";
import { LinkButton } from "../../ui/button.tsx";
import { MailboxCode } from "../../ui/form/mailbox-code.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AuthenticatorApp } from "./authenticator.tsx";
import { ConfirmTwoStep } from "./confirm-two-step.tsx";
import { Passkeys } from "./passkeys.tsx";
import { Password } from "./password.tsx";
import classes from "./security.module.css";
import { readAgain, type SignInMethods, signInMethodsQuery } from "./sign-in-methods.ts";
import { VerifyFirst } from "./verify-first.tsx";

const title = "Login and security";

export const meta = () => pageMeta(title);

/**
 * The ways to log in to an account, and its protection. A person who must still set up two-step login sees only that.
 */
export default function Security() {
  const viewer = useViewer();
  const lacks = viewer?.lacksSecondFactor ?? false;
  const { data, error, refetch } = useQuery(signInMethodsQuery);
  return (
    <Page title={title} lead="How you log in, and what keeps others out." narrow>
      {lacks && (
        <div className={classes.notice}>
          <Notice>
            Your account needs two-step login. Please {data?.needsConfirmation ? "use it" : "set it up"} to
            continue.
          </Notice>
        </div>
      )}
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={320} label="Loading login and security" />}
      {data && (
        <ItemList label={title}>
          {!lacks && <Password />}
          <TwoStepLogin methods={data} mayAdd={viewer?.emailVerified ?? false} />
          {!lacks && <Devices />}
          {!lacks && viewer && mayManageStudents(viewer) && <ApiKeys />}
        </ItemList>
      )}
    </Page>
  );
}

/** The factors of two-step login, or what must be done first. */
function TwoStepLogin({ methods, mayAdd }: { methods: SignInMethods; mayAdd: boolean }) {
  if (methods.needsConfirmation) return <ConfirmTwoStep />;
  if (methods.needsMailboxCode)
    return (
      <Item
        name="First, confirm your email address"
        details={<MailboxCode purpose="set this up" action="Continue" onConfirmed={readAgain} />}
      />
    );
  return (
    <>
      {!mayAdd && <VerifyFirst what="an authenticator app or a passkey" />}
      <AuthenticatorApp methods={methods} mayAdd={mayAdd} />
      <Passkeys methods={methods} mayAdd={mayAdd} />
    </>
  );
}

const ApiKeys = () => (
  <Item
    name="API keys"
    details={<p>Let your own programs work with Wayfare as you.</p>}
    actions={
      <LinkButton to="/api-keys" size="sm">
        Your API keys
      </LinkButton>
    }
  />
);

const Devices = () => (
  <Item
    name="Devices"
    details={<p>See where you're logged in, and log out devices you don't recognise.</p>}
    actions={
      <LinkButton to="/devices" size="sm">
        Your devices
      </LinkButton>
    }
  />
);
