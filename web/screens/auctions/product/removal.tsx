import type { ProductState } from "#contract/auctions.ts";
import { decideRemoval, removalMessages } from "#domain/auction-removal.ts";
import { isAdmin } from "#domain/permission.ts";
import { serverNow } from "../../../lib/server-clock.ts";
import { useViewer } from "../../../lib/viewer.ts";
import { RemoveProduct } from "../remove-product.tsx";
import classes from "./panel.module.css";

type RemovalProps = { product: ProductState; isSeller: boolean };

/** For its seller and for admins: taking the product off sale, or why that is not possible any more. */
export function Removal({ product, isSeller }: RemovalProps) {
  const viewer = useViewer();
  const { id, productName, state, bidCount, endDate } = product;
  const asker = { isAdmin: viewer !== null && isAdmin(viewer), isSeller };
  const auction = { state, bidCount, endDate: new Date(endDate) };
  const outcome = decideRemoval(auction, asker, new Date(serverNow()));
  if (outcome.kind === "lastHours") return <p className={classes.small}>{removalMessages.lastHours}</p>;
  if (outcome.kind !== "removed") return null;
  return (
    <RemoveProduct
      productId={id}
      productName={productName}
      hasBids={bidCount > 0}
      asAdmin={outcome.by === "admin"}
    />
  );
}
