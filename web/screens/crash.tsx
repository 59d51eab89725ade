import { isRouteErrorResponse } from "react-router";
import { friendlyError } from "#domain/friendly-error.ts";
import { dressed } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { TextLink } from "../ui/text-link.tsx";

const messageOf = (error: unknown): string =>
  isRouteErrorResponse(error) ? error.statusText : friendlyError(error).message;

/**
 * Something in the page itself failed, or, without an error to quote, the server could not make it: then this is
 * plain HTML. A full load is the surest way on, and the ways on are links, which need no script.
 */
export function CrashScreen({ error }: { error?: unknown }) {
  return (
    <Page
      title="Something went wrong"
      lead="This page could not be shown. Nothing that you have saved is lost."
      narrow
    >
      <p>
        Loading it again helps most of the time. If it does not, please write to us
        {error !== undefined && (
          <>
            {" "}
            and quote this: <code>{messageOf(error)}</code>
          </>
        )}
        .
      </p>
      {/* Without an address of its own it leads to where one is. */}
      <a {...dressed({ size: "md", href: "" })}>Load again</a>
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
