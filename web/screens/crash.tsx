import { isRouteErrorResponse } from "react-router";
import { friendlyError } from "#domain/friendly-error.ts";
import { failedRequestElementId, useFailedRequest } from "../lib/failed-request.ts";
import { buttonProps } from "../ui/button.tsx";
import { Quote } from "../ui/error-modal.tsx";
import { Page } from "../ui/page.tsx";
import { TextLink } from "../ui/text-link.tsx";

const messageOf = (error: unknown): string =>
  isRouteErrorResponse(error) ? error.statusText : friendlyError(error).message;

/**
 * The screen for a failure in the page itself, or, without an error to quote, for a page that the server couldn't
 * render: then it is plain HTML. A full load is the safest way to recover, so it offers links, which need no script.
 */
export function CrashScreen({ error }: { error?: unknown }) {
  const ofPage = useFailedRequest();
  const requestId = friendlyError(error).requestId ?? ofPage;
  return (
    <Page
      title="Something went wrong"
      lead="We couldn't show this page. Nothing you've saved is lost."
      narrow
    >
      <p>
        Reloading usually helps. If it doesn't, please write to us
        {error !== undefined && (
          <>
            {" "}
            and include this error: <code>{messageOf(error)}</code>
          </>
        )}
        .
      </p>
      {requestId && <Quote requestId={requestId} id={failedRequestElementId} />}
      {/* An empty `href` leads to the current address. */}
      <a {...buttonProps({ size: "md", href: "" })}>Reload</a>
      <p>
        <TextLink reloadDocument to="/">
          Go to the home page
        </TextLink>{" "}
        ·{" "}
        <TextLink reloadDocument to="/contact">
          Contact us
        </TextLink>
      </p>
    </Page>
  );
}
