import { auctionTexts } from "#domain/auction.ts";
import { LinkButton } from "../../../ui/link-button.tsx";
import { Page } from "../../../ui/page.tsx";
import { useTitle } from "./use-title.ts";

/** For what isn't there: never was, or was taken off sale. */
export function NoProduct() {
  useTitle("Product not found");
  return (
    <Page
      title={auctionTexts.notFound}
      lead="It may have been taken off sale, or the link may be incomplete."
    >
      <LinkButton primary to="/auctions">
        See open auctions
      </LinkButton>
    </Page>
  );
}
