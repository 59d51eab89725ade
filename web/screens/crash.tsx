import { Anchor, Button } from "@mantine/core";
import { isRouteErrorResponse } from "react-router";
import { friendlyError } from "#domain/friendly-error.ts";
import { Page } from "../ui/page.tsx";

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
        <Anchor href="/">Go to the home page</Anchor> · <Anchor href="/contact">Contact us</Anchor>
      </p>
    </Page>
  );
}
