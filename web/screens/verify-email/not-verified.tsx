import { Button } from "@mantine/core";
import { Link } from "react-router";
import { catalogue } from "#domain/error-catalogue.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Notice } from "../../ui/notice.tsx";
import { Retry } from "../../ui/retry.tsx";

const spent = "auth/invalid-action-code";

/** The link did not work: why, and a way on. Null: the address has no link in it. */
export function NotVerified({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const viewer = useViewer();
  if (onRetry && friendlyError(error).code !== spent) return <Retry error={error} onRetry={onRetry} />;
  if (viewer?.emailVerified)
    return <Notice kind="success">Your email address is verified. There is nothing left to do.</Notice>;
  return (
    <>
      <Notice>{catalogue[spent]}</Notice>
      {viewer ? (
        <p>Use “Send again” above to get a new link.</p>
      ) : (
        <Button component={Link} to="/login" size="md">
          Log in to get a new link
        </Button>
      )}
    </>
  );
}
