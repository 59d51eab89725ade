import { Button } from "@mantine/core";
import { Link } from "react-router";
import { pageMeta } from "../lib/page-meta.ts";
import { Page } from "../ui/page.tsx";

export const meta = () => pageMeta("Page not found");

export default function NotFound() {
  return (
    <Page title="Page not found" lead="There is nothing at this address. It may have moved." narrow>
      <Button component={Link} to="/">
        Go to the home page
      </Button>
    </Page>
  );
}
