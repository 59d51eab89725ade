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
 * Something in the page itself failed, or, without an error to quote, the server could not make it: then this is
 * plain HTML. A full load is the surest way on, and the ways on are links, which need no script.
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
      {/* Without an address of its own it leads to where one is. */}
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
