import { Anchor } from "@mantine/core";
import { isRouteErrorResponse } from "react-router";
import { friendlyError } from "#domain/friendly-error.ts";
import { Page } from "../ui/page.tsx";

/** Something in the page itself failed. A full load of the home page is the surest way on. */
export function CrashScreen({ error }: { error: unknown }) {
  const message = isRouteErrorResponse(error) ? error.statusText : friendlyError(error).message;
  return (
    <Page title="Something went wrong" lead={message} narrow>
      <Anchor href="/">Go to the home page</Anchor>
    </Page>
  );
}
