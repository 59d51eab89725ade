import { isRouteErrorResponse } from "react-router";
import { friendlyError } from "#domain/friendly-error.ts";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { TextLink } from "../ui/text-link.tsx";

/** Something in the page itself failed. A full load is the surest way on. */
export function CrashScreen({ error }: { error: unknown }) {
  const message = isRouteErrorResponse(error) ? error.statusText : friendlyError(error).message;
  return (
    <Page
      title="Something went wrong"
      lead="This page could not be shown. Nothing that you have saved is lost."
      narrow
    >
      <p>
        Loading it again helps most of the time. If it does not, please write to us and quote this:{" "}
        <code>{message}</code>
      </p>
      <Button size="md" onClick={() => location.reload()}>
        Load again
      </Button>
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
